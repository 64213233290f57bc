"""What a sign-in link says on LINE, and what its delivery is called."""

from flask_babel import gettext as _


def title() -> str:
    """The title on LINE, and all that a lock screen shows."""
    return str(_("Sign in to Todoke"))


def body(inviter: str | None) -> str:
    """What stands above the link. `inviter` is None for the command line, and for an account that was deleted."""
    by = _("%(name)s sends you this link.", name=inviter) if inviter else _("An administrator sends you this link.")
    what = _("Set your password there. It is good once, and for you alone: do not pass it on.")
    return f"{by} {what}"


def named(person: str) -> str:
    """What operators read of it: never the link."""
    return str(_("Sign-in link for %(name)s", name=person))
