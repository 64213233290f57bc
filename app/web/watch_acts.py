"""What a person does with a watch: look now, pause, resume and remove it."""

from collections.abc import Callable
from typing import TypeVar

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.sources.prices import watch as verbs
from app.sources.prices.watch import NoSuchWatchError
from app.transaction import Transaction, writing
from app.web.guards import GUESTS_TOO, Pages
from app.web.pace import paced
from app.web.watch import ADDRESS, line_of

Done = TypeVar("Done")

pages = Pages("watch_acts", open_to=GUESTS_TOO)


@pages.post(f"{ADDRESS}/look")
@paced
def look(watch_id: int) -> Response:
    """Let the shop be asked now."""
    _do(verbs.look_now, watch_id)
    flash(_("The shop is asked as soon as its turn comes. What it says appears here."))
    return _back(watch_id)


@pages.post(f"{ADDRESS}/pause")
def pause(watch_id: int) -> Response:
    """Look no more, and send nothing of it."""
    done = _do(verbs.pause, watch_id)
    flash(_("The watch is paused. Nothing of it is sent until you resume it.") if done else _("It was paused."))
    return _back(watch_id)


@pages.post(f"{ADDRESS}/resume")
def resume(watch_id: int) -> Response:
    """Look again."""
    done = _do(verbs.resume, watch_id)
    flash(_("The watch goes on.") if done else _("It was not paused."))
    return _back(watch_id)


@pages.get(f"{ADDRESS}/remove")
def ask_remove(watch_id: int) -> str:
    """Say what removing does."""
    return render_template("watches/remove.html", watch=line_of(watch_id))


@pages.post(f"{ADDRESS}/remove")
def remove(watch_id: int) -> Response:
    """Remove it."""
    _do(verbs.remove, watch_id)
    flash(_("The watch was removed."))
    return redirect(url_for("watches.index"), 303)


def _do(verb: Callable[[Transaction, int, int], Done], watch_id: int) -> Done:
    """Do it to a watch of the reader's own; 404 for any other."""
    try:
        with writing() as tx:
            return verb(tx, current_user.id, watch_id)
    except NoSuchWatchError:
        abort(404)


def _back(watch_id: int) -> Response:
    """To where the button was: the list, or the page of the watch."""
    if request.form.get("place") == "list":
        return redirect(url_for("watches.index", _anchor=f"watch-{watch_id}"), 303)
    return redirect(url_for("watch.show", watch_id=watch_id), 303)
