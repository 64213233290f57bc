"""What a person does to their devices: name one, remove one or all others."""

from flask import abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import InvalidInput
from app.operations import devices
from app.reach.devices import NoSuchDeviceError
from app.reach.own_devices import OwnDevice, own_device, own_devices
from app.transaction import writing
from app.web.cursors import BIGGEST_ID
from app.web.forms import by_field
from app.web.guards import GUESTS_TOO, Pages
from app.web.notification_settings import ADDRESS, Answer, done, page
from app.web.this_device import browser_hash, forget, this_device, vapid_key

DEVICE = f"{ADDRESS}/devices/<int(min=1, max={BIGGEST_ID}):device_id>"
OTHERS = f"{ADDRESS}/devices/remove-others"

pages = Pages("device_acts", open_to=GUESTS_TOO)


@pages.post(f"{DEVICE}/name")
def rename(device_id: int) -> Answer:
    """Save the name."""
    try:
        with writing() as tx:
            devices.rename(tx, current_user.id, device_id, request.form.get("name", ""))
    except NoSuchDeviceError:
        abort(404)
    except InvalidInput as error:
        return page(by_field(error.faults), device_id), 422
    return done(_("The name was saved."))


@pages.get(f"{DEVICE}/remove")
def ask_to_remove(device_id: int) -> str:
    """Say what removing it means."""
    return render_template("notification_settings/remove.html", device=_mine(device_id))


@pages.post(f"{DEVICE}/remove")
def remove(device_id: int) -> Response:
    """Remove it."""
    here = this_device()
    try:
        with writing() as tx:
            devices.remove(tx, current_user.actor, current_user.id, device_id)
    except NoSuchDeviceError:
        abort(404)
    answer = done(_("The device was removed. It gets no more notifications."))
    return forget(answer) if here is not None and here.id == device_id else answer


@pages.get(OTHERS)
def ask_to_remove_others() -> Response | str:
    """Say which they are."""
    others = [one for one in own_devices(current_user.id, browser_hash(), vapid_key()) if not one.here]
    if not others:
        return redirect(url_for("notification_settings.show"))
    return render_template("notification_settings/remove_others.html", others=others, here=this_device())


@pages.post(OTHERS)
def remove_others() -> Response:
    """Remove every device but this one."""
    with writing() as tx:
        number = devices.remove_others(tx, current_user.actor, current_user.id, browser_hash())
    return done(ngettext("%(num)d device was removed.", "%(num)d devices were removed.", number))


def _mine(device_id: int) -> OwnDevice:
    return own_device(current_user.id, device_id) or abort(404)
