"""What stops the start."""


class StartError(Exception):
    """Todoke cannot start; the text is one sentence that says why and what to do."""
