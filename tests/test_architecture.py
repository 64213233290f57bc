"""The nine rules of DESIGN.md section 3, and the arrows of its diagram."""

from collections.abc import Iterable

import pytest

from tests.architecture.calls import (
    dice_are_thrown_in_tokens,
    only_writing_commits,
    states_are_written_in_the_ledger_alone,
    time_comes_from_the_clock,
)
from tests.architecture.code import Breach, Check, Module, house
from tests.architecture.examples import BREACHES, KEPT
from tests.architecture.imports import (
    each_part_keeps_to_its_trade,
    few_know_rq,
    no_import_inside_a_function,
    pages_and_commands_never_send,
    sources_and_channels_are_known_by_their_registries,
)
from tests.architecture.layers import arrows_point_down
from tests.architecture.templates import house_templates, templates_get_values

LONGEST_FILE = 300


def test_arrows_point_down_only() -> None:
    _hold(arrows_point_down)


def test_rule_1_no_import_hides_inside_a_function() -> None:
    _hold(no_import_inside_a_function)


def test_rule_2_sources_and_channels_are_known_only_by_their_registries() -> None:
    _hold(sources_and_channels_are_known_by_their_registries)


def test_rule_3_channels_outbox_and_sources_keep_to_their_trade_and_http_goes_through_http_py() -> None:
    _hold(each_part_keeps_to_its_trade)


def test_rule_4_rq_appears_only_where_jobs_are_made_and_run() -> None:
    _hold(few_know_rq)


def test_rule_5_pages_and_commands_neither_send_nor_move_the_ledger() -> None:
    _hold(pages_and_commands_never_send)


def test_rule_6_a_state_is_written_by_the_verbs_of_the_ledger_alone() -> None:
    _hold(states_are_written_in_the_ledger_alone)


def test_rule_7_nothing_commits_but_writing() -> None:
    _hold(only_writing_commits)


def test_rule_8_time_comes_from_the_clock_and_dice_from_tokens() -> None:
    _hold(time_comes_from_the_clock, dice_are_thrown_in_tokens)


def test_rule_9_templates_get_values() -> None:
    _none(breach for path, text in house_templates() for breach in templates_get_values(path, text))


def test_no_file_is_longer_than_300_lines() -> None:
    long = [(module.path, module.source.count("\n")) for module in house()]
    _none(Breach(path, lines, "too long: split it by noun") for path, lines in long if lines > LONGEST_FILE)


def test_an_exists_says_which_tables_it_looks_through() -> None:
    bare = [(module, one) for module in house() for one in module.imports if one.module == "sqlalchemy"]
    _none(
        module.breach(one, "app.columns.there_is: a bare EXISTS grows tables of its own when it is nested")
        for module, one in bare
        if one.name == "exists" and module.name != "app.columns"
    )


@pytest.mark.parametrize(("check", "path", "source"), BREACHES)
def test_a_breach_of_a_rule_is_seen(check: Check, path: str, source: str) -> None:
    assert list(check(Module(path, source)))


@pytest.mark.parametrize(("check", "path", "source"), KEPT)
def test_what_a_rule_allows_is_left_alone(check: Check, path: str, source: str) -> None:
    assert not list(check(Module(path, source)))


@pytest.mark.parametrize(
    "text",
    [
        "{{ db.session }}",
        "{% for row in delivery.query.all() %}{% endfor %}",
        "{{ session.execute(statement) }}",
        "{% if delivery.expires_at < now() %}late{% endif %}",
        "{% if count - shown > 0 %}more{% endif %}",
        "{% if delivery.state in ('failed', 'retry') %}<button>{% endif %}",
        "{{ 'many' if unread > 99 else unread }}",
        "{% if a and b and c and d %}x{% endif %}",
    ],
)
def test_a_template_that_asks_or_decides_is_seen(text: str) -> None:
    assert list(templates_get_values("templates/x.html", text))


def test_a_template_that_shows_values_is_left_alone() -> None:
    text = (
        "{% if rows %}{% for row in rows %}{{ loop.index + 1 }} {{ _('Sent') }} {{ row.label }}{% endfor %}{% endif %}"
    )
    assert not list(templates_get_values("templates/x.html", text))


def _hold(*checks: Check) -> None:
    _none(breach for module in house() for check in checks for breach in check(module))


def _none(breaches: Iterable[Breach]) -> None:
    found = "\n".join(str(breach) for breach in breaches)
    assert not found, f"DESIGN.md section 3 is broken:\n{found}"
