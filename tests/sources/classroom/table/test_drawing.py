"""The drawn table: what stands where, and what a file it is."""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from app.faults import InvalidInput
from app.sources.classroom.publication.table.cells import INSET
from app.sources.classroom.publication.table.colours import DAY_GROUNDS, HEAD_GROUNDS, SHIFT, SUNKEN
from app.sources.classroom.publication.table.columns import DAY_WIDTH, MARGIN, columns
from app.sources.classroom.publication.table.drawing import HEAD, TITLE_BAND, Drawing, draw
from app.sources.classroom.publication.table.edition import DayKind, Edition
from app.sources.classroom.publication.table.fonts import faces
from app.sources.classroom.publication.table.layout import TableShift, shift_table
from tests.sources.classroom.table.pictures import chunks
from tests.sources.classroom.table.tables import edition, shift

FACES = faces(None)
FIRST_ROW = TITLE_BAND + HEAD


def _drawing(*shifts: TableShift, of: Edition | None = None) -> Drawing:
    return draw(shift_table(of or edition(), shifts), FACES)


def _pixels(drawing: Drawing) -> Image.Image:
    return Image.open(BytesIO(drawing.png)).convert("RGB")


def _cell(image: Image.Image, day: int, row: int = 0, height: int = 80) -> Image.Image:
    left, top = columns(31).days[day - 1] + 1, FIRST_ROW + row * height
    return image.crop((left, top, left + DAY_WIDTH - 1, top + height - 2))


def _colours(image: Image.Image) -> set[str]:
    found = image.getcolors(256)
    assert found is not None
    return {f"#{red:02x}{green:02x}{blue:02x}" for _count, (red, green, blue) in found}  # type: ignore[misc]


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _forty_tutors() -> list[TableShift]:
    return [shift(day, tutor=f"講師{tutor:02}", tutor_id=tutor) for tutor in range(40) for day in range(1, 32, 2)]


def test_a_shift_stands_in_the_cell_of_its_day_and_nowhere_else() -> None:
    image = _pixels(_drawing(shift(9)))
    assert SHIFT in _colours(_cell(image, 9))
    for day in (1, 7, 8, 10, 11, 31):
        assert _colours(_cell(image, day)) == {DAY_GROUNDS[DayKind.WEEKDAY]}


def test_shifts_at_different_times_look_different() -> None:
    image = _pixels(_drawing(shift(9), shift(10), shift(11, 17, 22)))
    assert _cell(image, 9).tobytes() == _cell(image, 10).tobytes() != _cell(image, 11).tobytes()


def test_two_shifts_of_a_day_stand_one_below_the_other() -> None:
    image = _pixels(_drawing(shift(9, 9, 12), shift(9, 17, 21)))
    cell = _cell(image, 9, height=160)
    edge = [cell.getpixel((INSET + 1, y)) for y in range(cell.height)]
    blocks = sum(1 for above, here in pairwise(edge) if above != here == _rgb(SHIFT))
    assert blocks == 2


def test_saturdays_and_sundays_have_grounds_of_their_own() -> None:
    image = _pixels(_drawing(shift(9)))
    assert _colours(_cell(image, 5)) == {DAY_GROUNDS[DayKind.SATURDAY]}
    assert _colours(_cell(image, 6)) == {DAY_GROUNDS[DayKind.SUNDAY]}
    assert HEAD_GROUNDS[DayKind.SUNDAY] in _colours(_cell(image, 6, row=-1, height=HEAD))


def test_each_tutor_has_a_row() -> None:
    image = _pixels(_drawing(shift(9, tutor="A", tutor_id=1), shift(10, tutor="B", tutor_id=2)))
    shown = [[SHIFT in _colours(_cell(image, day, row)) for day in (9, 10)] for row in (0, 1)]
    assert shown == [[True, False], [False, True]]


def test_the_name_stands_left_in_the_middle_and_right() -> None:
    image = _pixels(_drawing(shift(9)))
    for left in columns(31).names:
        assert len(_colours(image.crop((left + 10, FIRST_ROW + 10, left + 150, FIRST_ROW + 70)))) > 2


@pytest.mark.parametrize(("tutors", "heads"), [(1, 1), (14, 1), (15, 2), (40, 3)])
def test_the_days_are_said_again_further_down_a_long_table(tutors: int, heads: int) -> None:
    image = _pixels(_drawing(*(shift(tutor=f"{tutor:02}", tutor_id=tutor) for tutor in range(tutors))))
    edge = [image.getpixel((MARGIN + 3, y)) for y in range(image.height)]
    assert sum(1 for above, here in pairwise(edge) if above != here == _rgb(SUNKEN)) == heads


def test_forty_tutors_stay_within_what_phones_load() -> None:
    drawing = _drawing(*_forty_tutors(), of=edition(classroom=None))
    assert drawing.width <= 4096
    assert len(drawing.png) < 1_000_000
    assert _pixels(drawing).size == (drawing.width, drawing.height)


def test_the_same_table_gives_the_same_bytes_and_nothing_but_the_picture() -> None:
    first, second = _drawing(shift(), shift(2)), _drawing(shift(2), shift())
    assert first.png == second.png
    assert chunks(first.png) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}


def test_rare_names_leave_nothing_missing_and_unknown_characters_are_told() -> None:
    rare = [shift(1, tutor="髙﨑 𠮷邊", tutor_id=1), shift(2, tutor="齋藤 ①㈱", tutor_id=2)]
    assert _drawing(*rare).missing == []
    assert _drawing(*rare, shift(3, tutor="星😀\ue000", tutor_id=3)).missing == ["\ue000", "😀"]


def test_a_table_too_long_for_one_picture_says_to_choose_a_classroom() -> None:
    shifts = [shift(tutor=str(tutor), tutor_id=tutor) for tutor in range(150)]
    with pytest.raises(InvalidInput) as refused:
        _drawing(*shifts, of=edition(classroom=None))
    [fault] = refused.value.faults
    assert fault.field == "classroom"
    assert "Choose a single classroom" in fault.message
