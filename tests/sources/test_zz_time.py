from tests.sources.test_import_shifts import *
from tests.sources.test_import_shifts import _cast, _counts
import cProfile, pstats
def test_time(app):
    lines = [line(f"S{number}", PEOPLE[number % 2], day=f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}") for number in range(20_000)]
    file = read_csv(table(*lines))
    moved = read_csv(table(*[one.replace("17:00", "16:30") for one in lines]))
    for f in (file, file, moved):
        b = monotonic()
        p = cProfile.Profile() if f is None else None
        with writing() as tx:
            r = import_shifts(tx, f, create_classrooms=False)
            c = monotonic()
        print(r, round(c-b,2), round(monotonic()-b,2))
