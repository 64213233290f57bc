# make run: everything, on http://127.0.0.1:8000 · make test: the whole test suite · make lint: style and types · make bench: how long things take
PYTHON ?= python3
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint bench

run: .venv/installed
	@exec .venv/bin/python -m app.start

test: .venv/installed-for-development
	@.venv/bin/python -m pytest -n 2

lint: .venv/installed-for-development
	@.venv/bin/python -m ruff check .
	@.venv/bin/python -m ruff format --check .
	@.venv/bin/python -m mypy

bench: .venv/installed-for-development
	@.venv/bin/python -m benchmarks.inbox
	@.venv/bin/python -m benchmarks.sending
	@.venv/bin/python -m benchmarks.reminding
	@.venv/bin/python -m benchmarks.growing
	@.venv/bin/python -m benchmarks.looking
	@.venv/bin/python -m benchmarks.recording
	@.venv/bin/python -m benchmarks.ringing
	@.venv/bin/python -m benchmarks.sharing
	@.venv/bin/python -m benchmarks.broadcasting
	@.venv/bin/python -m benchmarks.fan_out
	@.venv/bin/python -m benchmarks.bulk
	@.venv/bin/python -m benchmarks.detecting

.venv/installed: requirements.txt | .venv/bin/python
	@echo "Installing what Todoke needs into .venv (once, about a minute) ..."
	@$(PIP) -r requirements.txt || { echo "The packages could not be installed: pip says why above. The same command goes on from there." >&2; exit 1; }
	@touch $@

.venv/installed-for-development: requirements.txt requirements-dev.txt | .venv/bin/python
	@echo "Installing what Todoke and its tests need into .venv (once, about two minutes) ..."
	@$(PIP) -r requirements-dev.txt || { echo "The packages could not be installed: pip says why above. The same command goes on from there." >&2; exit 1; }
	@touch .venv/installed $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Todoke needs Python 3.11 or newer, and $(PYTHON) is not. If another one is installed, name it: make PYTHON=python3.12 run" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv
