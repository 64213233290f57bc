"""What is said before shifts are changed: who is corrected, and who would have to be told by somebody."""

from collections.abc import Sequence

from flask_babel import gettext as _

from app.sources.classroom.shifts.foresight import Misled


def warnings(misled: Sequence[Misled]) -> list[str]:
    """Sentences about those who were told what would no longer hold."""
    return [_warning(one) for one in misled]


def _warning(one: Misled) -> str:
    if one.reachable:
        return str(_("%(name)s has already been told and gets a correction by LINE at once.", name=one.name))
    return str(
        _("%(name)s has already been told and cannot be reached by LINE now: tell them yourself.", name=one.name)
    )  # fmt: skip
