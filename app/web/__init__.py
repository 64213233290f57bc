"""WHO LOOKS: the pages, one file a noun. A view translates a request into values, calls one verb, and answers."""

from flask import Flask

from app.web import (
    account_acts,
    accounts,
    classrooms,
    codes,
    deliveries,
    delivery,
    delivery_acts,
    device_acts,
    devices,
    document,
    errors,
    guards,
    health,
    home,
    installing,
    language,
    notification_settings,
    overview,
    plain_text,
    publication,
    publications,
    publishing,
    security,
    shift,
    shift_acts,
    shift_edits,
    shift_imports,
    shifts,
    sign_in,
    template_context,
    theme,
    trials,
)


def register(app: Flask) -> None:
    """Register every group of pages, who may come in, what every answer carries, and how a failure is told."""
    plain_text.init_app(app)
    guards.init_app(app)
    security.init_app(app)
    template_context.init_app(app)
    errors.init_app(app)
    for pages in (
        home.pages,
        sign_in.pages,
        overview.pages,
        deliveries.pages,
        delivery.pages,
        delivery_acts.pages,
        codes.pages,
        shifts.pages,
        shift.pages,
        shift_edits.pages,
        shift_acts.pages,
        shift_imports.pages,
        publications.pages,
        publication.pages,
        publishing.pages,
        document.pages,
        accounts.pages,
        account_acts.pages,
        classrooms.pages,
        notification_settings.pages,
        device_acts.pages,
        devices.pages,
        trials.pages,
        installing.pages,
        language.pages,
        theme.pages,
        health.pages,
    ):
        app.register_blueprint(pages)
