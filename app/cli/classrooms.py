"""`flask classrooms`: where shifts take place."""

import click
from flask.cli import AppGroup

from app.cli.output import emit, explains_faults, json_option
from app.sources.classroom.classrooms import create_classroom
from app.transaction import writing

classrooms = AppGroup("classrooms", help="Where shifts take place.")


@classrooms.command("create")
@click.argument("name")
@json_option
@explains_faults
def create(name: str, as_json: bool) -> None:
    """Make a classroom."""
    with writing() as tx:
        classroom_id = create_classroom(tx, name)
    emit({"id": classroom_id, "name": name.strip()}, as_json, [f"Classroom {classroom_id} was made: {name.strip()}"])
