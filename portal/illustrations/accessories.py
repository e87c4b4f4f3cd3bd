"""Accessories, drawn in the hand of the bikes: same light, lines and materials. One unit of a sheet is a millimetre."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from portal.illustrations.sketch import (
    INK,
    LAMP,
    LEATHER,
    PLASTIC,
    PLASTIC_LIGHT,
    REAR_LAMP,
    RUBBER,
    RUBBER_LIGHT,
    SIGNAL,
    STEEL,
    STEEL_DARK,
    STEEL_LIGHT,
    WHITE,
    WOOD,
    Point,
    Sheet,
    curve,
    joined,
    line,
    mix,
    moved,
    rounded,
)


class AccessoryKind(StrEnum):
    """Kinds of items that are no bikes."""

    LOCK = "lock"
    HELMET = "helmet"
    BAG = "bag"
    CHILD_SEAT = "child-seat"
    PUMP = "pump"
    LIGHT = "light"
    BELL = "bell"
    CHARGER = "charger"
    BATTERY = "battery"
    CRATE = "crate"
    TRAILER = "trailer"
    CAPE = "cape"
    PHONE = "phone"
    STRAPS = "straps"
    CARE = "care"
    PARCEL = "parcel"


def _box(left: float, low: float, right: float, high: float) -> list[Point]:
    return [(left, low), (right, low), (right, high), (left, high)]


def _edge(color: str) -> str:
    return mix(color, INK, 0.6)


def _lock(sheet: Sheet, color: str) -> None:
    sheet.shadow(100, 390)
    ring = joined(
        curve((196, 62), (70, 60), (64, 236), (176, 250)), curve((176, 250), (330, 268), (420, 216), (404, 130)),
        curve((404, 130), (396, 74), (350, 54), (304, 62)),
    )  # fmt: skip
    sheet.stroke(ring, mix(color, INK, 0.72), 31)
    sheet.stroke(ring, mix(color, INK, 0.35), 27)
    sheet.stroke(ring, mix(color, WHITE, 0.1), 22, dash="17 11")
    sheet.stroke(ring, WHITE, 4, opacity=0.25)
    body = rounded(_box(186, 4, 312, 98), 24)
    sheet.fill(body, PLASTIC, edge=INK)
    sheet.fill(rounded(_box(198, 14, 300, 88), 16), PLASTIC_LIGHT)
    sheet.disc((249, 51), 23, STEEL, edge=INK)
    sheet.disc((249, 51), 17, STEEL_LIGHT)
    sheet.stroke(line((249, 43), (249, 59)), INK, 6)
    sheet.stroke(line((206, 90), (292, 90)), WHITE, 3.5, opacity=0.5)


def _helmet(sheet: Sheet, color: str) -> None:
    sheet.shadow(80, 410)
    strap = joined(curve((170, 96), (190, 30), (230, 8), (262, 8)), curve((262, 8), (296, 20), (316, 56), (330, 92)))
    sheet.stroke(strap, INK, 9)
    sheet.stroke(line((246, 96), (256, 12)), INK, 8)
    sheet.fill(rounded(_box(248, 0, 276, 18), 6), PLASTIC_LIGHT, edge=INK)
    shell = joined(
        curve((82, 108), (78, 214), (160, 262), (248, 260)), curve((248, 260), (350, 258), (412, 190), (420, 118)),
        curve((420, 118), (400, 96), (368, 92), (330, 98)), curve((330, 98), (270, 88), (220, 88), (170, 92)),
        curve((170, 92), (130, 88), (96, 92), (82, 108)), closed=True,
    )  # fmt: skip
    sheet.fill(shell, color, edge=_edge(color))
    dark = mix(color, INK, 0.72)
    for start, end, bend, wide in (
        ((128, 172), (212, 228), (150, 214), 17), ((128, 130), (250, 196), (164, 184), 19),
        ((210, 124), (330, 178), (264, 172), 19), ((252, 232), (352, 204), (310, 230), 16),
        ((322, 122), (386, 160), (352, 150), 15),
    ):  # fmt: skip
        sheet.stroke(curve(start, bend, bend, end), dark, wide)
        sheet.stroke(curve(start, bend, bend, end), mix(color, INK, 0.86), wide * 0.5)
    sheet.stroke(curve((100, 160), (112, 218), (170, 246), (240, 248)), WHITE, 6, opacity=0.45)
    sheet.stroke(curve((88, 108), (180, 84), (330, 92), (414, 116)), INK, 8)


def _bag(sheet: Sheet, color: str) -> None:
    sheet.shadow(70, 420)
    back = mix(color, INK, 0.35)
    sheet.fill(rounded(_box(178, 40, 408, 236), 26), back, edge=_edge(color))
    body = rounded([(84, 8), (330, 8), (344, 226), (70, 226)], 30)
    sheet.fill(body, color, edge=_edge(color))
    sheet.fill(rounded([(66, 140), (348, 140), (350, 238), (64, 238)], 26), mix(color, WHITE, 0.1), edge=_edge(color))
    sheet.hair([line((84, 150), (332, 150))], mix(color, WHITE, 0.55), 1.1, 0.8)
    for x in (136, 278):
        sheet.stroke(line((x, 228), (x, 92)), mix(LEATHER, INK, 0.5), 21)
        sheet.stroke(line((x, 228), (x, 92)), LEATHER, 17)
        sheet.fill(rounded(_box(x - 15, 108, x + 15, 136), 6), STEEL, edge=STEEL_DARK)
        sheet.fill(rounded(_box(x - 7, 115, x + 7, 129), 3), LEATHER)
    sheet.stroke(line((110, 60), (186, 60)), WHITE, 9, opacity=0.75)
    sheet.stroke(curve((166, 236), (170, 268), (244, 268), (248, 236)), INK, 13)
    sheet.stroke(line((82, 216), (78, 150)), WHITE, 5, opacity=0.35)


def _child_seat(sheet: Sheet, color: str) -> None:
    sheet.shadow(100, 400)
    sheet.stroke(line((150, 44), (330, 44), (372, 20)), STEEL_DARK, 14)
    shell = joined(
        curve((134, 262), (110, 250), (104, 170), (126, 92)), curve((126, 92), (134, 58), (168, 54), (230, 56)),
        curve((230, 56), (286, 56), (308, 64), (318, 92)), line((318, 92), (306, 118)),
        curve((306, 118), (260, 124), (222, 130), (208, 158)), curve((208, 158), (196, 200), (196, 262), (134, 262)),
        closed=True,
    )  # fmt: skip
    sheet.fill(shell, color, edge=_edge(color))
    pad = joined(
        curve((146, 246), (128, 200), (134, 130), (150, 104)), curve((150, 104), (190, 90), (240, 94), (292, 102)),
        curve((292, 102), (240, 112), (204, 122), (190, 152)), curve((190, 152), (180, 200), (182, 240), (146, 246)),
        closed=True,
    )  # fmt: skip
    sheet.fill(pad, mix(color, WHITE, 0.5))
    sheet.stroke(curve((158, 236), (176, 190), (196, 150), (236, 112)), INK, 11)
    sheet.fill(rounded(_box(178, 158, 204, 186), 8), SIGNAL, edge=INK)
    sheet.fill(
        rounded([(290, 16), (352, 8), (352, 34), (322, 100), (286, 96)], 16), mix(color, INK, 0.2), edge=_edge(color)
    )
    sheet.stroke(line((302, 40), (338, 34)), INK, 9)
    sheet.stroke(curve((120, 236), (112, 190), (116, 140), (128, 108)), WHITE, 6, opacity=0.4)


def _pump(sheet: Sheet, color: str) -> None:
    sheet.shadow(130, 380)
    hose = joined(
        curve((262, 40), (330, 30), (380, 70), (362, 140)), curve((362, 140), (350, 190), (310, 190), (308, 150))
    )
    sheet.stroke(hose, INK, 13)
    sheet.stroke(hose, RUBBER_LIGHT, 6)
    sheet.fill(rounded(_box(298, 120, 320, 158), 8), STEEL, edge=STEEL_DARK)
    sheet.tube(line((240, 60), (240, 238)), 11, STEEL)
    sheet.tube(line((240, 34), (240, 186)), 36, color)
    sheet.fill(rounded(_box(216, 178, 264, 200), 8), PLASTIC, edge=INK)
    sheet.stroke(line((178, 250), (302, 250)), INK, 27)
    sheet.stroke(line((178, 250), (302, 250)), WOOD, 22)
    sheet.stroke(line((182, 256), (298, 256)), WHITE, 4, opacity=0.4)
    sheet.fill(rounded([(150, 0), (330, 0), (312, 20), (168, 20)], 9), PLASTIC, edge=INK)
    sheet.disc((240, 44), 37, PLASTIC, edge=INK)
    sheet.disc((240, 44), 30, WHITE)
    sheet.hair([line(moved((240, 44), at, 22), moved((240, 44), at, 28)) for at in range(-30, 240, 30)], INK, 1.4)
    sheet.stroke(line((240, 44), (256, 62)), SIGNAL, 4)
    sheet.disc((240, 44), 4, INK)


def _light(sheet: Sheet, color: str) -> None:
    sheet.shadow(80, 400)
    sheet.glow((344, 146), 132)
    sheet.fill(
        rounded([(150, 92), (286, 74), (300, 84), (300, 210), (286, 222), (150, 202), (136, 188), (136, 106)], 18),
        color,
        edge=_edge(color),
    )
    sheet.fill(
        rounded([(282, 70), (318, 66), (330, 80), (330, 214), (318, 228), (282, 224)], 14), STEEL, edge=STEEL_DARK
    )
    sheet.fill(rounded([(318, 84), (340, 92), (340, 202), (318, 212)], 14), LAMP, edge=STEEL_DARK)
    sheet.stroke(line((160, 190), (270, 206)), WHITE, 6, opacity=0.4)
    sheet.stroke(line((176, 204), (212, 208)), PLASTIC_LIGHT, 12)
    sheet.fill(rounded([(190, 40), (246, 40), (250, 90), (186, 92)], 10), PLASTIC, edge=INK)
    sheet.ring((218, 26), 22, PLASTIC, 13)
    sheet.fill(rounded(_box(76, 12, 122, 92), 14), PLASTIC, edge=INK)
    sheet.fill(rounded(_box(84, 22, 114, 82), 10), REAR_LAMP)
    sheet.stroke(line((91, 32), (91, 72)), WHITE, 5, opacity=0.5)


def _bell(sheet: Sheet, color: str) -> None:
    sheet.shadow(120, 370)
    sheet.tube(line((110, 46), (380, 46)), 27, STEEL)
    sheet.fill(rounded(_box(206, 28, 282, 96), 12), PLASTIC, edge=INK)
    dome = joined(
        curve((124, 104), (126, 206), (190, 250), (246, 250)),
        curve((246, 250), (304, 250), (366, 206), (368, 104)),
        closed=True,
    )
    sheet.fill(dome, color, edge=_edge(color))
    sheet.fill(rounded(_box(116, 92, 376, 110), 8), mix(color, WHITE, 0.25), edge=_edge(color))
    sheet.stroke(curve((150, 124), (154, 190), (196, 226), (236, 232)), WHITE, 9, opacity=0.55)
    sheet.disc((246, 252), 12, STEEL, edge=STEEL_DARK)
    sheet.stroke(curve((364, 90), (404, 92), (414, 128), (392, 146)), INK, 15)
    sheet.stroke(curve((364, 90), (404, 92), (414, 128), (392, 146)), STEEL, 9)


def _charger(sheet: Sheet, color: str) -> None:
    sheet.shadow(70, 420)
    cable = joined(
        curve((300, 60), (380, 40), (430, 100), (392, 150)), curve((392, 150), (340, 204), (330, 214), (366, 236))
    )
    sheet.stroke(cable, INK, 11)
    sheet.fill(rounded([(352, 222), (392, 232), (384, 262), (344, 252)], 10), PLASTIC_LIGHT, edge=INK)
    sheet.stroke(joined(curve((112, 72), (60, 80), (50, 150), (84, 186)), line((84, 186), (92, 214))), INK, 9)
    sheet.fill(rounded(_box(72, 206, 112, 246), 9), PLASTIC, edge=INK)
    sheet.hair([line((84, 248), (84, 264)), line((100, 248), (100, 264))], STEEL_DARK, 4)
    sheet.fill(rounded([(106, 8), (306, 8), (314, 30), (302, 134), (118, 134), (98, 30)], 24), PLASTIC, edge=INK)
    sheet.fill(rounded([(122, 66), (294, 66), (288, 122), (128, 122)], 14), PLASTIC_LIGHT)
    sheet.disc((146, 38), 7, "#54d68c")
    sheet.stroke(line((262, 38), (284, 38)), color, 8)
    sheet.stroke(line((150, 110), (262, 110)), WHITE, 4, opacity=0.35)


def _battery(sheet: Sheet, color: str) -> None:
    sheet.shadow(50, 430)
    sheet.fill(
        rounded([(58, 40), (86, 12), (412, 12), (426, 34), (416, 118), (392, 150), (96, 150), (64, 128)], 26),
        PLASTIC,
        edge=INK,
    )
    sheet.fill(rounded([(92, 84), (394, 84), (384, 138), (102, 138)], 18), PLASTIC_LIGHT)
    sheet.stroke(line((112, 130), (376, 130)), WHITE, 5, opacity=0.4)
    for place in range(5):
        sheet.disc((250 + place * 26, 48), 7, "#54d68c" if place < 4 else PLASTIC_LIGHT)
    sheet.stroke(line((96, 50), (172, 50)), color, 13)
    sheet.disc((396, 52), 12, STEEL, edge=INK)
    sheet.stroke(line((396, 46), (396, 58)), INK, 4)
    sheet.stroke(curve((184, 152), (190, 186), (286, 186), (292, 152)), INK, 17)
    sheet.stroke(curve((184, 152), (190, 186), (286, 186), (292, 152)), PLASTIC_LIGHT, 8)


def _crate(sheet: Sheet, color: str) -> None:
    _ = color
    sheet.shadow(70, 420)
    sheet.stroke(line((96, 26), (64, 8), (420, 8), (388, 26)), INK, 14)
    edge = mix(WOOD, INK, 0.55)
    sheet.fill(rounded(_box(92, 26, 392, 212), 8), mix(WOOD, INK, 0.5), edge=edge)
    for place in range(4):
        low = 24 + place * 49
        sheet.fill(rounded(_box(78, low, 406, low + 39), 6), mix(WOOD, WHITE, 0.05 * (place % 2)), edge=edge)
        grain = [curve((96, low + 14), (170, low + 20), (280, low + 8), (388, low + 16))]
        grain.append(curve((110, low + 27), (200, low + 22), (300, low + 31), (380, low + 26)))
        sheet.hair(grain, mix(WOOD, INK, 0.3), 0.8, 0.6)
        for x in (94, 390):
            sheet.disc((x, low + 20), 3.4, STEEL_DARK)
    sheet.stroke(line((206, 191), (278, 191)), mix(WOOD, INK, 0.7), 15)


def _trailer(sheet: Sheet, color: str) -> None:
    sheet.shadow(40, 440)
    sheet.tube(curve((96, 60), (60, 60), (50, 88), (24, 92)), 11, STEEL_DARK)
    body = joined(
        line((96, 48), (360, 48)),
        curve((360, 48), (412, 90), (410, 180), (330, 238)),
        line((330, 238), (196, 238)),
        curve((196, 238), (130, 220), (104, 120), (96, 48)),
        closed=True,
    )
    sheet.fill(body, color, edge=_edge(color))
    window = joined(
        curve((206, 222), (170, 204), (154, 160), (148, 124)),
        line((148, 124), (356, 124)),
        curve((356, 124), (358, 170), (342, 202), (318, 222)),
        closed=True,
    )
    sheet.fill(window, "#cfe0e4", edge=_edge(color))
    sheet.stroke(line((196, 196), (176, 140)), WHITE, 13, opacity=0.7)
    sheet.stroke(line((222, 204), (206, 162)), WHITE, 6, opacity=0.7)
    sheet.stroke(line((104, 92), (396, 92)), mix(color, WHITE, 0.55), 8)
    _small_wheel(sheet, (246, 66), 66)
    sheet.stroke(line((356, 240), (356, 262)), INK, 3)
    sheet.fill(line((357, 262), (357, 244), (388, 253), closed=True), SIGNAL)


def _small_wheel(sheet: Sheet, hub: Point, radius: float) -> None:
    sheet.hair([line(hub, moved(hub, at, radius - 14)) for at in range(0, 360, 20)], STEEL_DARK, 0.9)
    sheet.ring(hub, radius - 16, STEEL_LIGHT, 5)
    sheet.ring(hub, radius - 7, RUBBER, 14)
    sheet.disc(hub, 10, STEEL, edge=STEEL_DARK)


def _cape(sheet: Sheet, color: str) -> None:
    sheet.shadow(80, 400)
    body = joined(
        curve((206, 214), (150, 176), (96, 90), (74, 22)), curve((74, 22), (170, -4), (310, -4), (406, 22)),
        curve((406, 22), (384, 90), (330, 176), (274, 214)), closed=True,
    )  # fmt: skip
    sheet.fill(body, color, edge=_edge(color))
    hood = joined(
        curve((196, 206), (178, 262), (214, 276), (240, 276)),
        curve((240, 276), (266, 276), (302, 262), (284, 206)),
        curve((284, 206), (262, 190), (218, 190), (196, 206)),
        closed=True,
    )
    sheet.fill(hood, mix(color, WHITE, 0.12), edge=_edge(color))
    sheet.fill(curve((212, 214), (206, 262), (274, 262), (268, 214)), mix(color, INK, 0.6))
    folds = [curve((212, 190), (180, 130), (150, 70), (140, 12)), curve((268, 190), (300, 130), (330, 70), (340, 12))]
    sheet.hair(folds, mix(color, INK, 0.4), 1.6)
    sheet.stroke(curve((186, 186), (148, 140), (116, 84), (100, 40)), WHITE, 6, opacity=0.35)
    sheet.hair([line((240, 192), (240, 6))], mix(color, INK, 0.5), 1.6)
    sheet.stroke(curve((84, 34), (176, 12), (304, 12), (396, 34)), STEEL_LIGHT, 6)


def _phone(sheet: Sheet, color: str) -> None:
    sheet.shadow(120, 360)
    sheet.tube(line((92, 34), (390, 34)), 29, STEEL_DARK)
    sheet.fill(rounded(_box(204, 10, 276, 82), 14), PLASTIC, edge=INK)
    sheet.fill(rounded([(172, 66), (308, 66), (308, 272), (172, 272)], 22), INK)
    sheet.fill(rounded(_box(180, 76, 300, 264), 15), "#dfe9e4")
    sheet.fill(
        line((180, 150), (232, 132), (300, 176), (300, 92), (284, 76), (196, 76), (180, 92), closed=True), "#c3d8cb"
    )
    route = curve((206, 96), (262, 126), (204, 170), (268, 216))
    sheet.stroke(route, WHITE, 11)
    sheet.stroke(route, SIGNAL, 6)
    sheet.disc((268, 216), 11, SIGNAL, edge=WHITE)
    sheet.disc((206, 96), 7, INK)
    for x, way in ((168, 1), (312, -1)):
        for y in (104, 224):
            sheet.stroke(line((x - 6 * way, y), (x + 10 * way, y)), mix(color, INK, 0.3), 21)


def _straps(sheet: Sheet, color: str) -> None:
    sheet.shadow(90, 400)
    for x in (150, 228, 306):
        sheet.stroke(curve((x - 20, 40), (x - 44, 120), (x + 60, 170), (x + 26, 246)), _edge(color), 31)
        sheet.stroke(curve((x - 20, 40), (x - 44, 120), (x + 60, 170), (x + 26, 246)), color, 26)
        sheet.stroke(curve((x - 20, 40), (x - 44, 120), (x + 60, 170), (x + 26, 246)), WHITE, 4, opacity=0.45)
    sheet.fill(rounded(_box(98, 10, 330, 50), 14), PLASTIC, edge=INK)
    sheet.fill(rounded(_box(148, 228, 372, 264), 14), PLASTIC, edge=INK)
    sheet.stroke(line((116, 40), (312, 40)), WHITE, 4, opacity=0.4)
    sheet.stroke(line((166, 256), (354, 256)), WHITE, 4, opacity=0.4)


def _care(sheet: Sheet, color: str) -> None:
    sheet.shadow(70, 420)
    sheet.fill(
        rounded([(110, 4), (222, 4), (222, 168), (196, 200), (136, 200), (110, 168)], 18), color, edge=_edge(color)
    )
    sheet.fill(rounded(_box(144, 196, 188, 222), 6), PLASTIC, edge=INK)
    sheet.fill(rounded([(154, 220), (178, 220), (172, 268), (160, 268)], 6), SIGNAL, edge=mix(SIGNAL, INK, 0.5))
    sheet.fill(rounded(_box(110, 50, 222, 132), 3), WHITE)
    for place in range(3):
        sheet.ring((140 + place * 26, 91), 12, INK, 6)
    sheet.stroke(line((124, 158), (124, 144)), WHITE, 6, opacity=0.5)
    sheet.fill(rounded(_box(300, 8, 336, 150), 14), WOOD, edge=mix(WOOD, INK, 0.55))
    sheet.fill(rounded(_box(286, 142, 350, 180), 8), PLASTIC, edge=INK)
    sheet.hair([line((x, 182), (x + (x - 318) * 0.2, 238)) for x in range(290, 348, 5)], INK, 2.4)
    sheet.stroke(line((309, 30), (309, 126)), WHITE, 5, opacity=0.4)
    sheet.fill(
        rounded([(214, 2), (282, 2), (288, 34), (232, 46), (206, 24)], 14), "#e8d6a8", edge=mix("#e8d6a8", INK, 0.4)
    )


def _parcel(sheet: Sheet, color: str) -> None:
    _ = color
    sheet.shadow(80, 410)
    card = "#d2aa78"
    edge = mix(card, INK, 0.5)
    sheet.fill(line((86, 186), (240, 136), (240, -2), (86, 46), closed=True), card, edge=edge)
    sheet.fill(line((394, 186), (240, 136), (240, -2), (394, 46), closed=True), mix(card, INK, 0.16), edge=edge)
    sheet.fill(line((86, 186), (238, 240), (394, 186), (240, 136), closed=True), mix(card, WHITE, 0.25), edge=edge)
    tape = line((148, 206), (302, 156), (330, 166), (178, 217), closed=True)
    sheet.fill(tape, SIGNAL, opacity=0.9)
    sheet.fill(line((302, 156), (330, 166), (330, 124), (302, 114), closed=True), mix(SIGNAL, INK, 0.16), opacity=0.9)
    sheet.fill(line((108, 132), (176, 110), (176, 60), (108, 80), closed=True), WHITE, opacity=0.9)
    sheet.hair([line((118, 112 - at), (118 + 46, 97 - at)) for at in (0, 11, 22)], INK, 1.6, 0.7)


_DRAWN: dict[AccessoryKind, Callable[[Sheet, str], None]] = {
    AccessoryKind.LOCK: _lock,
    AccessoryKind.HELMET: _helmet,
    AccessoryKind.BAG: _bag,
    AccessoryKind.CHILD_SEAT: _child_seat,
    AccessoryKind.PUMP: _pump,
    AccessoryKind.LIGHT: _light,
    AccessoryKind.BELL: _bell,
    AccessoryKind.CHARGER: _charger,
    AccessoryKind.BATTERY: _battery,
    AccessoryKind.CRATE: _crate,
    AccessoryKind.TRAILER: _trailer,
    AccessoryKind.CAPE: _cape,
    AccessoryKind.PHONE: _phone,
    AccessoryKind.STRAPS: _straps,
    AccessoryKind.CARE: _care,
    AccessoryKind.PARCEL: _parcel,
}


def drawn_accessory(kind: AccessoryKind, color: str) -> Sheet:
    """An item of a kind and a hex colour on a sheet."""
    sheet = Sheet(1, 0, 0)
    sheet.part()
    _DRAWN[kind](sheet, color)
    return sheet
