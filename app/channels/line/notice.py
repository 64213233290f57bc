"""What a notification looks like on LINE: a title, what it says, and a button that opens it."""

from flask_babel import force_locale, gettext

from app.channels.line.flex import FlexMessage, box, bubble, button, text
from app.channels.line.limits import ALT_TEXT, cut
from app.kinds import Notice

TITLE, BODY = 300, 1000
"""UTF-16 units: a card that is read at a glance, far within LINE's own limits. The page says the rest."""


def flex_of(notice: Notice, site: str) -> FlexMessage:
    """The card. `site` is where our pages are, from the scheme on and without a slash at its end."""
    with force_locale(notice.language):
        label = gettext("Open it")
    says = [text(cut(notice.body, BODY), size="sm", color="#5c6270")] if notice.body.strip() else []
    return FlexMessage(
        alt_text=cut(notice.title, ALT_TEXT),
        contents=bubble(
            box(text(cut(notice.title, TITLE), weight="bold"), *says),
            footer=box(button(label, site + notice.path)),
        ),
    )
