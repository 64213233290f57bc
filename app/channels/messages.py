"""What a channel says to a message that it cannot speak."""


class InvalidMessage(ValueError):  # noqa: N818  # says what is wrong in the words of its callers
    """A message that the provider would refuse. Names the property and what is expected, never the text."""

    def __init__(self, name: str, expected: str) -> None:
        super().__init__(f"{name}: {expected}")
