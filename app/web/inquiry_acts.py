"""Asking, answering, closing, and who asks along."""

from collections.abc import Callable

from flask import abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import InvalidInput
from app.sources.conversations import attend, inquire
from app.sources.conversations.inquire import NotTheirsError, Wording
from app.transaction import Transaction, writing
from app.web.cursors import BIGGEST_ID
from app.web.forms import number_in, request_id
from app.web.guards import SIGNED_IN, Pages
from app.web.inquiry import ADDRESS, form, page, page_of
from app.web.pace import paced

Answer = Response | tuple[str, int]

pages = Pages("inquiry_acts", open_to=SIGNED_IN)


@pages.post("/inquiries/new")
@paced
def add() -> Answer:
    """Open an inquiry."""
    wording = _wording()
    store, subject = number_in(request.form.get("store", "")), request.form.get("subject", "")
    try:
        with writing() as tx:
            made = inquire.open_inquiry(tx, current_user.id, store, subject, wording)
    except InvalidInput as error:
        return form(request.form, wording.mentions, error.faults), 422
    flash(_("Your inquiry was sent to the store."))
    return redirect(url_for("inquiry.show", inquiry_id=made), 303)


@pages.post(f"{ADDRESS}/messages")
@paced
def write(inquiry_id: int) -> Answer:
    """Write into it."""
    wording = _wording()

    def say(tx: Transaction) -> str:
        return f"message-{inquire.write(tx, current_user.id, inquiry_id, wording)}"

    return _do(inquiry_id, say)


@pages.post(f"{ADDRESS}/messages/<int(min=1, max={BIGGEST_ID}):message_id>/delete")
@paced
def delete_message(inquiry_id: int, message_id: int) -> Answer:
    """Take back one's own message."""

    def take_back(tx: Transaction) -> str:
        if not inquire.delete_message(tx, current_user.id, inquiry_id, message_id):
            raise NotTheirsError(message_id)
        return f"message-{message_id}"

    return _do(inquiry_id, take_back)


@pages.post(f"{ADDRESS}/close")
@paced
def close(inquiry_id: int) -> Answer:
    """Settle it."""
    return _do(inquiry_id, lambda tx: attend.close(tx, current_user.actor, inquiry_id), _("The inquiry was closed."))


@pages.post(f"{ADDRESS}/reopen")
@paced
def reopen(inquiry_id: int) -> Answer:
    """Let it go on."""
    return _do(inquiry_id, lambda tx: attend.reopen(tx, current_user.actor, inquiry_id), _("The inquiry is open."))


@pages.post(f"{ADDRESS}/askers")
@paced
def add_asker(inquiry_id: int) -> Answer:
    """Let another account ask along."""
    email = request.form.get("email", "")

    def let_in(tx: Transaction) -> bool:
        return attend.add_asker(tx, current_user.actor, inquiry_id, email)

    return _do(inquiry_id, let_in, _("This account asks along now."))


@pages.post(f"{ADDRESS}/askers/<int(min=1, max={BIGGEST_ID}):account_id>/remove")
@paced
def remove_asker(inquiry_id: int, account_id: int) -> Answer:
    """End somebody's part in it, or one's own."""

    def end(tx: Transaction) -> bool:
        return attend.remove_asker(tx, current_user.actor, inquiry_id, account_id)

    if account_id != current_user.id:
        return _do(inquiry_id, end, _("This account no longer asks along."))
    return _do(inquiry_id, end, _("You no longer ask along."), url_for("inquiries.index"))


def _do(inquiry_id: int, verb: Callable[[Transaction], str | bool], told: str = "", on_to: str | None = None) -> Answer:
    """Do it and go on: to the message whose anchor the verb gives, to the inquiry, or elsewhere."""
    page_of(inquiry_id)
    try:
        with writing() as tx:
            done = verb(tx)
    except NotTheirsError:
        abort(404)
    except InvalidInput as error:
        return page(inquiry_id, request.form, _mentions(), error.faults), 422
    if told:
        flash(told)
    anchor = done if isinstance(done, str) else None
    return redirect(on_to or url_for("inquiry.show", inquiry_id=inquiry_id, _anchor=anchor), 303)


def _wording() -> Wording:
    return Wording(request.form.get("text", ""), _mentions(), request_id())


def _mentions() -> list[int]:
    return [number_in(typed) or abort(400) for typed in request.form.getlist("mentions")]
