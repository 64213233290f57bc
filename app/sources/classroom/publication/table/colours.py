"""The colours of a drawn shift table: those of the pages in the light theme, and a wall calendar's week."""

from app.sources.classroom.publication.table.edition import DayKind

BACKGROUND, SURFACE, SUNKEN = "#fbfaf7", "#ffffff", "#f3f1ec"
INK, MUTED, LINE, STRONG_LINE, ACCENT = "#1f2430", "#5c6270", "#dcd8cf", "#a9a69f", "#27408b"
SHIFT = "#e3e9f7"

SUNDAY = "#a8324a"
"""Red as on every wall calendar, but not the red of what failed."""

DAY_INKS = {DayKind.WEEKDAY: INK, DayKind.SATURDAY: ACCENT, DayKind.SUNDAY: SUNDAY}
DAY_GROUNDS = {DayKind.WEEKDAY: SURFACE, DayKind.SATURDAY: "#f4f6fb", DayKind.SUNDAY: "#fbf3f3"}
HEAD_GROUNDS = {DayKind.WEEKDAY: SUNKEN, DayKind.SATURDAY: "#e9edf6", DayKind.SUNDAY: "#f6e7e7"}
