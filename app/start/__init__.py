"""What `make run` executes: checks, prepares, then runs everything under honcho until Ctrl-C."""
