"""Whether a page is parsed at all: the parser's own time grows with the square of how deep elements lie in each other,
and of how many attributes one of them has."""

import re

MOST_TAGS = 25_000
"""Pages of shops have some thousands. As many that lie in each other take 2 s; those of 2 MB would take 100."""
MOST_ATTRIBUTES = 1000
"""Of one tag. So many in each tag of a page of 2 MB take 0.7 s; one tag of as many bytes would take minutes."""
_TIMES_READ = 8
"""As often as a page is gone through here, in all: tags within each other's quotes would be read over and over."""

_BLANK = r"\t\n\f\r "
_NAME = rf"(?:=[^{_BLANK}/>=]*+|[^{_BLANK}/>=]++)"
_VALUE = rf"""(?:"[^"]*+"?+|'[^']*+'?+|[^{_BLANK}>"'][^{_BLANK}>]*+)"""
_ATTRIBUTE = rf"[{_BLANK}/]*+{_NAME}(?:[{_BLANK}]*+=[{_BLANK}]*+{_VALUE}?+)?+"
# As browsers read a tag (HTML, 13.2.5.6 to 13.2.5.40). It is tried at every place that looks like one, whatever stands
# around it: what is a script or a comment to us might be none to the parser.
_BEGIN = re.compile("</?[a-zA-Z]")
_TAG = re.compile(rf"</?[a-zA-Z][^{_BLANK}/>]*+(?:{_ATTRIBUTE}){{0,{MOST_ATTRIBUTES}}}+(?P<further>{_ATTRIBUTE})?+")


def is_too_much(page: str) -> bool:
    """Whether parsing it might take longer than a page of any shop does."""
    tags, left = 0, _TIMES_READ * len(page)
    for begin in _BEGIN.finditer(page):
        tag = _TAG.match(page, begin.start())
        if tag is None:
            continue
        tags += not tag[0].startswith("</")
        left -= tag.end() - tag.start()
        if tag["further"] or tags > MOST_TAGS or left < 0:
            return True
    return False
