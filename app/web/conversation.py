"""The page of one conversation, and the form that begins one."""

from collections.abc import Collection, Mapping

from flask import abort, render_template, url_for
from flask_login import current_user

from app import tokens
from app.faults import Fault
from app.sources.conversations.reading import lines_of_conversation
from app.sources.conversations.talks import Talk, talk
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field
from app.web.guards import SIGNED_IN, Pages
from app.web.htmx import wants_part
from app.web.talking import asked_before, said

ADDRESS = f"/conversations/<int(min=1, max={BIGGEST_ID}):conversation_id>"

pages = Pages("conversation", open_to=SIGNED_IN)


@pages.get("/conversations/new")
def new() -> str:
    """An empty form."""
    return form({})


def form(typed: Mapping[str, str], faults: Collection[Fault] = ()) -> str:
    """The form that begins a conversation. A refused one keeps what was typed, under a new id."""
    return render_template(
        "conversations/new.html",
        typed=typed,
        faults=by_field(faults),
        request_id=tokens.request_id(),
    )


@pages.get(ADDRESS)
def show(conversation_id: int) -> str:
    """The page; for a tick only its messages."""
    return page(conversation_id)


def page(conversation_id: int, typed: Mapping[str, str] | None = None, faults: Collection[Fault] = ()) -> str:
    """The conversation as it stands now, with what was typed into a form that was refused."""
    typed = typed or {}
    shown = page_of(conversation_id)

    def address(before: int | None = None) -> str:
        return url_for("conversation.show", conversation_id=conversation_id, before=before)

    def delete(message_id: int) -> str:
        return url_for("conversation_acts.delete_message", conversation_id=conversation_id, message_id=message_id)

    return render_template(
        "conversations/_said.html" if wants_part() else "conversations/show.html",
        talk=shown,
        said=said(lines_of_conversation(conversation_id, asked_before()), address, delete),
        typed=typed,
        faults=by_field(faults),
        request_id=tokens.request_id(),
    )


def page_of(conversation_id: int) -> Talk:
    """The conversation; 404 if there is none that the reader takes part in."""
    return talk(current_user.id, conversation_id) or abort(404)
