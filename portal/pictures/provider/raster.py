"""Drawings as pixels, for mail programs, which show no SVG."""

from __future__ import annotations

from portal.illustrations import HEIGHT, WIDTH

_SHEET = """
#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: {fill})
#image(bytes(sys.inputs.svg), width: 100%)
"""


def png_of(svg: str, width: int, *, clear: bool = False) -> bytes:
    """A drawing as a PNG. Blocks."""
    import typst

    page = _SHEET.format(width=width, height=width * HEIGHT // WIDTH, fill="none" if clear else "white")
    try:
        content = typst.compile(page.encode(), format="png", ppi=72, sys_inputs={"svg": svg})
    except (RuntimeError, OSError) as error:
        raise ValueError("the drawing cannot be drawn") from error
    if not isinstance(content, bytes):
        raise ValueError("the drawing has several pages")  # noqa: TRY004 - wrong content, not a wrong type
    return content
