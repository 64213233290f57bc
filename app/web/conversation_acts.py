"""Beginning a conversation, writing into it, and one's own part in it."""

import re
from collections.abc import Callable

from flask import abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import InvalidInput
from app.sources.conversations import converse
from app.sources.conversations.converse import NotAMemberError
from app.transaction import Transaction, writing
from app.web.conversation import ADDRESS, form, page, page_of
from app.web.cursors import BIGGEST_ID
from app.web.forms import request_id
from app.web.guards import SIGNED_IN, Pages
from app.web.pace import paced

Answer = Response | tuple[str, int]

pages = Pages("conversation_acts", open_to=SIGNED_IN)


@pages.post("/conversations/new")
@paced
def add() -> Answer:
    """Begin a conversation with these accounts."""
    # One a line, or as people write them on one.
    emails = [email for email in re.split(r"[\s,;、，；]+", request.form.get("emails", "")) if email]
    try:
        with writing() as tx:
            made = converse.start(tx, current_user.id, emails, request.form.get("text", ""), request_id())
    except InvalidInput as error:
        return form(request.form, error.faults), 422
    return redirect(url_for("conversation.show", conversation_id=made), 303)


@pages.post(f"{ADDRESS}/messages")
@paced
def write(conversation_id: int) -> Answer:
    """Write to the others."""
    text, form_id = request.form.get("text", ""), request_id()

    def say(tx: Transaction) -> str:
        return f"message-{converse.say(tx, current_user.id, conversation_id, text, form_id)}"

    return _do(conversation_id, say)


@pages.post(f"{ADDRESS}/messages/<int(min=1, max={BIGGEST_ID}):message_id>/delete")
@paced
def delete_message(conversation_id: int, message_id: int) -> Answer:
    """Take back one's own message."""

    def take_back(tx: Transaction) -> str:
        if not converse.delete_message(tx, current_user.id, conversation_id, message_id):
            raise NotAMemberError(conversation_id)
        return f"message-{message_id}"

    return _do(conversation_id, take_back)


@pages.post(f"{ADDRESS}/accept")
@paced
def accept(conversation_id: int) -> Answer:
    """Be told of what the others write, or not."""
    wanted = request.form.get("on")
    on = wanted == "1" if wanted in ("0", "1") else abort(400)

    def switch(tx: Transaction) -> bool:
        return converse.set_accepting(tx, current_user.id, conversation_id, on)

    told = _("You are told of new messages here.") if on else _("You are no longer told of new messages here.")
    return _do(conversation_id, switch, told)


@pages.post(f"{ADDRESS}/leave")
@paced
def leave(conversation_id: int) -> Answer:
    """End one's own part."""

    def end(tx: Transaction) -> bool:
        return converse.leave(tx, current_user.id, conversation_id)

    return _do(conversation_id, end, _("You have left the conversation."), url_for("conversations.index"))


def _do(
    conversation_id: int, verb: Callable[[Transaction], str | bool], told: str = "", on_to: str | None = None
) -> Answer:
    """Do it and go on: to the message whose anchor the verb gives, to the conversation, or elsewhere."""
    page_of(conversation_id)
    try:
        with writing() as tx:
            done = verb(tx)
    except NotAMemberError:
        abort(404)
    except InvalidInput as error:
        return page(conversation_id, request.form, error.faults), 422
    if told:
        flash(told)
    anchor = done if isinstance(done, str) else None
    return redirect(on_to or url_for("conversation.show", conversation_id=conversation_id, _anchor=anchor), 303)
