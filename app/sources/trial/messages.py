"""What a test push says."""

from flask_babel import gettext as _


def title() -> str:
    """The title on the device, and of its delivery."""
    return str(_("Test notification"))


def body() -> str:
    """What stands below it on the device."""
    return str(_("This device shows what Todoke sends it."))
