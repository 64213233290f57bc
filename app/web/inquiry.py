"""The page of one inquiry, and the form that opens one."""

from collections.abc import Collection, Mapping

from flask import abort, render_template, request, url_for
from flask_login import current_user

from app import audit, tokens
from app.accounts.stores import open_stores
from app.faults import Fault
from app.sources.conversations.attend import SUBJECT, may_remove
from app.sources.conversations.inquiries import InquiryPage, inquiry
from app.sources.conversations.models import Side
from app.sources.conversations.people import platform_staff
from app.sources.conversations.reading import lines_of_inquiry
from app.web import words
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field
from app.web.guards import SIGNED_IN, Pages
from app.web.htmx import wants_part
from app.web.talking import asked_before, said

ADDRESS = f"/inquiries/<int(min=1, max={BIGGEST_ID}):inquiry_id>"

pages = Pages("inquiry", open_to=SIGNED_IN)


@pages.get("/inquiries/new")
def new() -> str:
    """An empty form, with the store that its reader came from."""
    return form({"store": request.args.get("store", "")})


def form(typed: Mapping[str, str], mentions: Collection[int] = (), faults: Collection[Fault] = ()) -> str:
    """The form that opens an inquiry. A refused one keeps what was typed, under a new id."""
    return render_template(
        "inquiries/new.html",
        stores=open_stores(),
        staff=platform_staff(but=current_user.id),
        typed=typed,
        mentions=mentions,
        faults=by_field(faults),
        request_id=tokens.request_id(),
    )


@pages.get(ADDRESS)
def show(inquiry_id: int) -> str:
    """The page; for a tick only its messages."""
    return page(inquiry_id)


def page(
    inquiry_id: int,
    typed: Mapping[str, str] | None = None,
    mentions: Collection[int] = (),
    faults: Collection[Fault] = (),
) -> str:
    """The inquiry as it stands now, with what was typed into a form that was refused."""
    typed = typed or {}
    shown = page_of(inquiry_id)

    def address(before: int | None = None) -> str:
        return url_for("inquiry.show", inquiry_id=inquiry_id, before=before)

    def delete(message_id: int) -> str:
        return url_for("inquiry_acts.delete_message", inquiry_id=inquiry_id, message_id=message_id)

    acts = [(entry.at, entry.who, words.INQUIRY_ACTS_DONE.get(entry.act, entry.act))
            for entry in audit.entries(SUBJECT, inquiry_id)]  # fmt: skip
    return render_template(
        "inquiries/_said.html" if wants_part() else "inquiries/show.html",
        inquiry=shown,
        said=said(lines_of_inquiry(inquiry_id, asked_before()), address, delete),
        may_write=bool(shown.side and shown.askers) and shown.store_is_open and not shown.line.closed,
        asks=shown.side is Side.ASKER,
        removable=[one for one in shown.askers if may_remove(shown.opened_by_id, current_user.id, one)],
        staff=platform_staff(but=current_user.id),
        acts=acts,
        typed=typed,
        mentions=mentions,
        faults=by_field(faults),
        request_id=tokens.request_id(),
    )


def page_of(inquiry_id: int) -> InquiryPage:
    """The inquiry; 404 if there is none that the reader may see."""
    return inquiry(current_user.id, inquiry_id) or abort(404)
