"""Messages such as Todoke sends."""

from typing import Any

Flex = dict[str, Any]


def words(text: str, **more: Any) -> Flex:
    """A Flex text."""
    return {"type": "text", "text": text, **more}


def box(*contents: Flex, layout: str = "vertical", **more: Any) -> Flex:
    """A Flex box."""
    return {"type": "box", "layout": layout, "contents": list(contents), **more}


def button(label: str = "シフトを見る", uri: str = "https://example.jp/shifts", **more: Any) -> Flex:
    """A Flex button that opens an address."""
    return {"type": "button", "action": {"type": "uri", "label": label, "uri": uri}, **more}


def bubble(*contents: Flex, **more: Any) -> Flex:
    """A Flex bubble with this body."""
    return {"type": "bubble", "body": box(*contents or (words("本文"),)), **more}


def flex(contents: Flex, alt: str = "シフトのお知らせ") -> Flex:
    """A Flex message."""
    return {"type": "flex", "altText": alt, "contents": contents}


def reminder() -> Flex:
    """The reminder of a shift two hours ahead."""
    return flex(
        {
            "type": "bubble",
            "header": box(
                words("まもなく授業です", weight="bold", size="lg", color="#27408b", wrap=True),
                words("2時間後に始まります", size="sm", color="#5c6270"),
            ),
            "body": box(
                _row("講師", "佐藤 美咲"),
                _row("教室", "渋谷校 3階 自習室となり（エレベーターを降りて右）"),
                {"type": "separator", "margin": "md"},
                _row("日付", "11月30日(月)"),
                _row("時間", "17:00–18:30"),
                spacing="md",
            ),
            "footer": box(button(style="primary", color="#27408b", height="sm")),
            "styles": {"header": {"backgroundColor": "#f3f1ec"}, "footer": {"separator": True}},
        },
        alt="【2時間後】11月30日(月) 17:00–18:30 渋谷校の授業があります",
    )


def _row(name: str, value: str) -> Flex:
    return box(
        words(name, size="sm", color="#5c6270", flex=1),
        words(value, size="sm", color="#1f2430", flex=4, wrap=True),
        layout="baseline",
    )
