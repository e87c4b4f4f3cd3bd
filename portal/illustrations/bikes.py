"""Side views of bikes, built from their measures: wheelbase, wheels, angles and tubes in millimetres and degrees.

The rear hub is the origin; a bike looks to the right. Parts have the names of the questions that ask for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from portal.illustrations.sketch import (
    HEIGHT,
    INK,
    LAMP,
    LEATHER,
    PLASTIC,
    PLASTIC_LIGHT,
    REAR_LAMP,
    RUBBER,
    RUBBER_LIGHT,
    STEEL,
    STEEL_DARK,
    STEEL_LIGHT,
    WHITE,
    WIDTH,
    WOOD,
    Path,
    Point,
    Sheet,
    along,
    arc,
    curve,
    joined,
    line,
    mix,
    moved,
    rounded,
)


class BikeKind(StrEnum):
    """Kinds of bikes that look different from the side."""

    STEP_THROUGH = "step-through"
    STEP_THROUGH_ELECTRIC = "step-through-electric"
    STEP_THROUGH_HUB_MOTOR = "step-through-hub-motor"
    DIAMOND = "diamond"
    DIAMOND_ELECTRIC = "diamond-electric"
    SPEED_PEDELEC = "speed-pedelec"
    FRONT_LOADER = "front-loader"
    LONGTAIL = "longtail"
    FOLDING = "folding"
    MOUNTAIN = "mountain"
    ROAD = "road"
    CHILDREN = "children"


class Frame(StrEnum):
    """How the tubes of a frame run."""

    DIAMOND = "diamond"
    LOW = "low"
    FOLDING = "folding"
    LOADER = "loader"
    LONG = "long"


class Bar(StrEnum):
    """Kinds of handlebars."""

    SWEPT = "swept"
    FLAT = "flat"
    DROP = "drop"


class Place(StrEnum):
    """Where a motor or a battery is."""

    NONE = "none"
    CRANK = "crank"
    FRONT = "front"
    REAR = "rear"
    DOWN_TUBE = "down-tube"
    CARRIER = "carrier"
    SEAT_TUBE = "seat-tube"


class Brake(StrEnum):
    DISC = "disc"
    RIM = "rim"
    ROLLER = "roller"


@dataclass(frozen=True, slots=True)
class Bike:
    """Measures and equipment of a bike. Lengths in millimetres, angles in degrees from the ground."""

    frame: Frame = Frame.DIAMOND
    rear: float = 350
    front: float = 350
    tyre: float = 42
    wheelbase: float = 1120
    chainstay: float = 465
    drop: float = 60
    seat_angle: float = 70
    head_angle: float = 68.5
    seat_tube: float = 540
    saddle: float = 690
    fork: float = 410
    rake: float = 55
    head: float = 150
    rise: float = 90
    tube: float = 36
    bar: Bar = Bar.FLAT
    motor: Place = Place.NONE
    battery: Place = Place.NONE
    brake: Brake = Brake.RIM
    carrier: bool = True
    fenders: bool = True
    chain_case: bool = False
    lights: bool = True
    kickstand: bool = True
    sprung: bool = False
    derailleur: bool = False
    comfort: bool = False
    leather: bool = False
    knobs: bool = False
    skirt: bool = False


_CITY = Bike(
    frame=Frame.LOW, bar=Bar.SWEPT, chain_case=True, comfort=True, brake=Brake.ROLLER, head=185, rise=150,
    head_angle=67.5, seat_angle=68, saddle=660, seat_tube=500, skirt=True, wheelbase=1140, chainstay=480,
)  # fmt: skip

_SPORTS = Bike(bar=Bar.FLAT, head=140, chain_case=True)

BIKES: dict[BikeKind, Bike] = {
    BikeKind.STEP_THROUGH: replace(_CITY, leather=True),
    BikeKind.STEP_THROUGH_ELECTRIC: replace(
        _CITY, motor=Place.CRANK, battery=Place.DOWN_TUBE, brake=Brake.DISC, tyre=50, tube=54, sprung=True,
        wheelbase=1165, chain_case=True, rise=125, skirt=False,
    ),
    BikeKind.STEP_THROUGH_HUB_MOTOR: replace(
        _CITY, motor=Place.FRONT, battery=Place.CARRIER, brake=Brake.RIM, tyre=46, tube=44, sprung=True, wheelbase=1150
    ),
    BikeKind.DIAMOND: replace(_SPORTS, bar=Bar.SWEPT, head=150, rise=120, leather=True, seat_tube=560),
    BikeKind.DIAMOND_ELECTRIC: replace(
        _SPORTS, motor=Place.CRANK, battery=Place.DOWN_TUBE, tube=50, tyre=48, brake=Brake.DISC, sprung=True,
        wheelbase=1140, chainstay=470, seat_tube=490, rise=110,
    ),
    BikeKind.SPEED_PEDELEC: Bike(
        motor=Place.CRANK, battery=Place.DOWN_TUBE, tube=58, tyre=58, brake=Brake.DISC, sprung=True, rear=352,
        front=352, wheelbase=1160, chainstay=475, head_angle=67, fork=450, derailleur=True, seat_tube=470, rise=70,
        bar=Bar.FLAT, saddle=700,
    ),
    BikeKind.FRONT_LOADER: Bike(
        frame=Frame.LOADER, rear=330, front=255, tyre=52, wheelbase=1930, chainstay=470, drop=40, tube=50,
        bar=Bar.SWEPT, motor=Place.CRANK, battery=Place.SEAT_TUBE, brake=Brake.DISC, fork=320, rake=40, head=110,
        seat_tube=430, saddle=640, comfort=True, chain_case=True, head_angle=70, seat_angle=69, rise=60,
    ),
    BikeKind.LONGTAIL: Bike(
        frame=Frame.LONG, rear=255, front=255, tyre=58, wheelbase=1290, chainstay=600, drop=-25, tube=54, bar=Bar.SWEPT,
        motor=Place.CRANK, battery=Place.DOWN_TUBE, brake=Brake.DISC, fork=330, rake=45, head=200, seat_tube=440,
        saddle=640, rise=190, comfort=True, head_angle=69,
    ),
    BikeKind.FOLDING: Bike(
        frame=Frame.FOLDING, rear=225, front=225, tyre=44, wheelbase=1010, chainstay=405, drop=-65, tube=54,
        bar=Bar.FLAT, fork=270, rake=35, head=95, seat_tube=250, saddle=640, rise=430, head_angle=72, seat_angle=70,
        brake=Brake.RIM,
    ),
    BikeKind.MOUNTAIN: Bike(
        rear=368, front=368, tyre=64, wheelbase=1200, chainstay=435, drop=50, seat_angle=73, head_angle=66, tube=46,
        seat_tube=430, saddle=690, fork=520, rake=45, head=110, rise=45, brake=Brake.DISC, carrier=False,
        fenders=False, lights=False, kickstand=False, sprung=True, derailleur=True, knobs=True,
    ),
    BikeKind.ROAD: Bike(
        rear=340, front=340, tyre=28, wheelbase=1000, chainstay=408, drop=70, seat_angle=73.5, head_angle=73, tube=38,
        seat_tube=520, saddle=735, fork=375, rake=45, head=160, rise=25, bar=Bar.DROP, brake=Brake.DISC,
        carrier=False, fenders=False, lights=False, kickstand=False, derailleur=True,
    ),
    BikeKind.CHILDREN: Bike(
        rear=255, front=255, tyre=46, wheelbase=860, chainstay=350, drop=10, seat_angle=69, head_angle=69, tube=36,
        seat_tube=300, saddle=430, fork=315, rake=40, head=105, rise=95, bar=Bar.SWEPT, carrier=True, chain_case=True,
        comfort=True, frame=Frame.LOW, brake=Brake.RIM,
    ),
}  # fmt: skip
"""All kinds with their measures."""

CHAIN, WHEELS, FRAME, MOTOR, BATTERY, BRAKES = "chain", "wheels", "frame", "motor", "battery", "brakes"
CARRIER, HANDLEBARS, SADDLE, GEARS, PEDALS = "carrier", "handlebars", "saddle", "gears", "pedals"
"""Parts that a customer can point at, named as in the question what is broken."""

FENDERS, LIGHTS, KICKSTAND, CHAIN_GUARD, BOX = "fenders", "lights", "kickstand", "chain-guard", "box"
"""Further parts, which nobody is asked about by name."""

_HUB: Point = (0.0, 0.0)


class _Drawn:
    def __init__(self, bike: Bike, color: str) -> None:
        self.bike, self.color = bike, color
        self._measure()
        left = -bike.rear - (230 if bike.frame is Frame.LONG else 40)
        right = self.front[0] + bike.front + 40
        top = max(self.bar[1], self.saddle_top[1]) + 90
        low = self.ground
        scale = min((WIDTH - 24) / (right - left), 262 / (top - low))
        self.sheet = Sheet(scale, (WIDTH - (right + left) * scale) / 2, low)
        self.scale = scale

    def _measure(self) -> None:
        bike = self.bike
        self.ground = -bike.rear
        self.front = (bike.wheelbase, bike.front - bike.rear)
        self.crank = (bike.chainstay, -bike.drop)
        self.seat = moved(self.crank, 180 - bike.seat_angle, bike.seat_tube)
        self.saddle_top = moved(self.crank, 180 - bike.seat_angle, bike.saddle)
        axis = 180 - bike.head_angle
        on_axis = moved(self.front, axis + 90, bike.rake)
        self.crown = moved(on_axis, axis, bike.fork)
        self.head_low = moved(self.crown, axis, 14)
        self.head_high = moved(self.head_low, axis, bike.head)
        self.axis = axis
        self.bar = moved(self.head_high, axis, bike.rise)
        if bike.frame is Frame.LOADER:
            # The steering tube stands before the rider, far behind the front wheel.
            foot = (self.crank[0] + 330, self.crank[1] + 130)
            self.column = (foot, moved(foot, 110, 500))
            self.bar = self.column[1]

    def draw(self) -> Sheet:
        """Draw from back to front."""
        bike, sheet = self.bike, self.sheet
        sheet.part()
        sheet.shadow(-bike.rear - 30, self.front[0] + bike.front + 30)
        if bike.kickstand:
            self._kickstand()
        self._carrier_behind()
        self._wheel(_HUB, bike.rear)
        self._wheel(self.front, bike.front)
        if bike.fenders:
            self._fenders()
        if bike.brake is Brake.DISC:
            self._discs()
        self._gears()
        self._chain()
        self._fork()
        self._frame()
        self._battery()
        self._saddle()
        self._handlebars()
        if bike.frame is Frame.LOADER:
            self._box()
        self._carrier()
        self._motor()
        if bike.chain_case:
            self._chain_case()
        self._pedals()
        self._brakes()
        if bike.lights:
            self._lights()
        return sheet

    def _wheel(self, hub: Point, radius: float) -> None:
        sheet, tyre = self.sheet, self.bike.tyre
        sheet.part(WHEELS)
        rim = radius - tyre * 0.86
        spokes = []
        count = 28 if radius > 300 else 20
        for place in range(count):
            # Spokes leave the hub sideways, in pairs to both sides.
            at = 360 / count * place
            lean = 38 if place % 2 else -38
            spokes.append(line(moved(hub, at + lean, 26), moved(hub, at, rim - 8)))
        sheet.hair(spokes, STEEL_DARK, 0.55, 0.85)
        sheet.ring(hub, rim - 5, STEEL_DARK, 22)
        sheet.ring(hub, rim - 4, STEEL_LIGHT, 13)
        sheet.ring(hub, radius - tyre / 2, RUBBER, tyre)
        sheet.ring(hub, radius - tyre * 0.62, RUBBER_LIGHT, tyre * 0.14)
        if self.bike.knobs:
            length = 2 * math.pi * (radius + 1) * self.scale / 92
            dash = f"{length * 0.55:.2f} {length * 0.45:.2f}"
            sheet.ring(hub, radius + 1, RUBBER, 13, dash=dash)
        # Light falls on the tyre from the upper left.
        sheet.stroke(arc(hub, radius - tyre * 0.3, 100, 160), WHITE, tyre * 0.1, opacity=0.28)
        sheet.disc(hub, 30, STEEL, edge=STEEL_DARK)
        sheet.disc(hub, 11, STEEL_LIGHT, edge=STEEL_DARK)

    def _fenders(self) -> None:
        bike, sheet = self.bike, self.sheet
        dark = mix(self.color, INK, 0.82)
        sheet.part(FENDERS)
        rear, front = bike.rear + 17, bike.front + 17
        stays = [
            line(_HUB, moved(_HUB, 162, rear)),
            line(self.front, moved(self.front, 66, front)),
            line(self.front, moved(self.front, 176, front)),
        ]
        sheet.hair(stays, STEEL_DARK, 1.1)
        for path in (arc(_HUB, rear, 34, 192), arc(self.front, front, 54, 188)):
            sheet.stroke(path, INK, 21)
            sheet.stroke(path, dark, 17)
        sheet.stroke(arc(_HUB, rear + 4, 80, 150), WHITE, 3.4, opacity=0.3)
        sheet.stroke(arc(self.front, front + 4, 80, 150), WHITE, 3.4, opacity=0.3)
        if bike.skirt:
            skirt = joined(
                arc(_HUB, rear - 4, 68, 172), line(moved(_HUB, 172, rear - 4), moved(_HUB, 140, 96)),
                arc(_HUB, 96, 140, 76), closed=True,
            )  # fmt: skip
            sheet.fill(skirt, dark, opacity=0.9)

    def _discs(self) -> None:
        sheet = self.sheet
        sheet.part(BRAKES)
        for hub in (_HUB, self.front):
            sheet.ring(hub, 74, STEEL_DARK, 20)
            sheet.ring(hub, 74, STEEL_LIGHT, 13, dash=f"{9 * self.scale:.1f} {5.5 * self.scale:.1f}")
            sheet.hair([line(moved(hub, at, 22), moved(hub, at + 24, 66)) for at in range(0, 360, 60)], STEEL_DARK, 1)

    def _gears(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(GEARS)
        if bike.derailleur:
            for radius, color in ((66, STEEL_DARK), (52, STEEL), (38, STEEL_LIGHT)):
                sheet.ring(_HUB, radius, color, 7, dash=f"{5 * self.scale:.2f} {3 * self.scale:.2f}")
                sheet.disc(_HUB, radius - 3, color)
            sheet.disc(_HUB, 13, STEEL_LIGHT, edge=STEEL_DARK)
            upper, lower = (28.0, -88.0), (52.0, -168.0)
            sheet.stroke(line((10, -18), upper), PLASTIC, 26)
            sheet.stroke(line(upper, lower), PLASTIC, 20)
            for wheel in (upper, lower):
                sheet.disc(wheel, 23, PLASTIC_LIGHT, edge=INK)
                sheet.disc(wheel, 7, STEEL_LIGHT)
        else:
            sheet.disc(_HUB, 52, STEEL_DARK)
            sheet.disc(_HUB, 47, STEEL)
            sheet.ring(_HUB, 50, STEEL_DARK, 8, dash=f"{5 * self.scale:.2f} {3.2 * self.scale:.2f}")
            sheet.stroke(arc(_HUB, 34, 100, 190), WHITE, 7, opacity=0.7)
            sheet.disc(_HUB, 17, PLASTIC, edge=INK)
            sheet.disc(_HUB, 6, STEEL_LIGHT)

    def _chain(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(CHAIN)
        ring = 82 if bike.rear > 300 else 68
        top = line((4, 47), (self.crank[0], self.crank[1] + ring))
        if bike.derailleur:
            low = line((54, -190), (self.crank[0], self.crank[1] - ring))
        else:
            low = line((4, -47), (self.crank[0], self.crank[1] - ring))
        for path in (top, low):
            sheet.stroke(path, STEEL_DARK, 15, cap="butt")
            sheet.stroke(path, INK, 9, cap="butt", dash=f"{7 * self.scale:.2f} {5 * self.scale:.2f}")
        self.ring = ring

    def _fork(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(FRAME)
        if bike.sprung:
            slider = along(self.crown, self.front, 0.42)
            sheet.tube(line(self.crown, along(self.crown, self.front, 0.6)), 26, STEEL)
            sheet.tube(line(slider, self.front), 42, mix(self.color, INK, 0.75))
            sheet.stroke(
                line(moved(self.crown, self.axis - 90, 22), moved(self.crown, self.axis + 90, 22)), PLASTIC, 34
            )
        else:
            bend = moved(self.crown, self.axis + 180, bike.fork * 0.62)
            blade = curve(self.crown, along(self.crown, bend, 0.5), bend, self.front)
            sheet.tube(blade, 30 if bike.frame is not Frame.LOADER else 36, self.color)
        sheet.disc(self.front, 17, STEEL, edge=STEEL_DARK)

    def _frame(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(FRAME)
        tubes = {
            Frame.DIAMOND: self._diamond,
            Frame.LOW: self._low,
            Frame.FOLDING: self._folding,
            Frame.LOADER: self._loader,
            Frame.LONG: self._long,
        }[bike.frame]()
        sheet.tubes(list(tubes), self.color)
        sheet.disc(self.crank, 42, mix(self.color, INK, 0.25), edge=mix(self.color, INK, 0.6))
        sheet.disc(_HUB, 16, STEEL, edge=STEEL_DARK)
        if bike.frame is not Frame.LOADER:
            wide = bike.tube * 0.7 + 30
            for end, way in ((self.head_low, -8.0), (self.head_high, 8.0)):
                sheet.stroke(line(end, moved(end, self.axis, way)), STEEL_DARK, wide, cap="butt")

    def _stays(self) -> Iterator[tuple[Path, float]]:
        yield line(self.crank, _HUB), 24
        yield line(along(self.crank, self.seat, 0.93), _HUB), 20

    def _head(self) -> tuple[Path, float]:
        return line(self.head_low, self.head_high), self.bike.tube * 0.7 + 22

    def _diamond(self) -> Iterator[tuple[Path, float]]:
        tube = self.bike.tube
        yield from self._stays()
        yield line(self.crank, self.seat), min(tube, 40)
        slope = 0.86 if self.bike.battery is Place.DOWN_TUBE else 0.95
        yield line(along(self.crank, self.seat, slope), along(self.head_low, self.head_high, 0.8)), tube * 0.86
        yield line(self.crank, along(self.head_low, self.head_high, 0.22)), tube
        yield self._head()

    def _low(self) -> Iterator[tuple[Path, float]]:
        tube = self.bike.tube
        head = along(self.head_low, self.head_high, 0.3)
        high = along(self.head_low, self.head_high, 0.75)
        yield from self._stays()
        yield line(self.crank, self.seat), min(tube, 40)
        joint = along(self.crank, self.seat, 0.42)
        yield curve(joint, (joint[0] + 190, joint[1] - 50), (high[0] - 150, high[1] - 300), high), tube * 0.78
        low = (self.crank[0] + 170, self.crank[1] - 6)
        yield curve(self.crank, low, (head[0] - 130, head[1] - 330), head), tube
        yield self._head()

    def _folding(self) -> Iterator[tuple[Path, float]]:
        tube = self.bike.tube
        yield line(self.crank, _HUB), 26
        yield line(along(self.crank, self.seat, 0.75), _HUB), 22
        yield line(self.crank, self.seat), 46
        start = along(self.crank, self.seat, 0.42)
        end = along(self.head_low, self.head_high, 0.35)
        yield curve(start, (start[0] + 180, start[1] - 40), (end[0] - 240, end[1] - 50), end), tube
        yield self._head()

    def _loader(self) -> Iterator[tuple[Path, float]]:
        tube = self.bike.tube
        foot, _top = self.column
        yield from self._stays()
        yield line(self.crank, self.seat), 42
        yield curve(
            along(self.crank, self.seat, 0.5), (self.crank[0] + 60, self.crank[1] + 120),
            (foot[0] - 120, foot[1] - 40), along(foot, self.column[1], 0.12),
        ), tube * 0.8  # fmt: skip
        floor = self.ground + 190
        bend = (foot[0] + 40, floor)
        yield curve(self.crank, (self.crank[0] + 120, self.crank[1] - 20), (bend[0] - 120, floor), bend), tube
        nose = (self.front[0] - self.bike.front - 70, floor)
        yield line(bend, nose), tube
        yield curve(nose, (nose[0] + 80, floor), (nose[0] + 70, self.head_low[1] + 20), self.head_high), tube
        yield line(foot, along(foot, self.column[1], 0.45)), 52
        yield line(foot, (foot[0] + 20, floor)), tube * 0.8
        yield line(self.head_low, self.head_high), 50

    def _long(self) -> Iterator[tuple[Path, float]]:
        tube = self.bike.tube
        deck = self.bike.rear + 78
        tail = (-self.bike.rear - 150, deck)
        yield line(self.crank, _HUB), 30
        yield line(along(self.crank, self.seat, 0.72), _HUB), 22
        yield line(self.crank, self.seat), 44
        yield line(tail, along(self.crank, self.seat, 0.72)), 32
        yield line(_HUB, (-self.bike.rear - 40, deck)), 24
        head = along(self.head_low, self.head_high, 0.25)
        high = along(self.head_low, self.head_high, 0.7)
        joint = along(self.crank, self.seat, 0.5)
        yield curve(joint, (joint[0] + 170, joint[1] - 60), (high[0] - 150, high[1] - 190), high), tube * 0.74
        yield curve(self.crank, (self.crank[0] + 130, self.crank[1] - 10), (head[0] - 120, head[1] - 240), head), tube
        yield self._head()

    def _battery(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(BATTERY)
        if bike.battery is Place.DOWN_TUBE:
            if bike.frame is Frame.DIAMOND:
                start, end = self.crank, along(self.head_low, self.head_high, 0.22)
                first, last = along(start, end, 0.25), along(start, end, 0.82)
            else:
                head = along(self.head_low, self.head_high, 0.25)
                first, last = (self.crank[0] + 140, self.crank[1] + 62), along(self.crank, head, 0.8)
                first, last = (first[0], first[1] - 30), (last[0] + 12, last[1] - 26)
            sheet.stroke(line(first, last), INK, bike.tube + 14)
            sheet.stroke(line(first, last), PLASTIC, bike.tube + 6)
            up = (-11.0, 16.0)
            sheet.stroke(
                line((first[0] + up[0], first[1] + up[1]), (last[0] + up[0], last[1] + up[1])), WHITE, 5, opacity=0.4
            )
            sheet.disc(along(first, last, 0.12), 9, "#54d68c")
        elif bike.battery is Place.CARRIER:
            deck = bike.rear + 62
            case = rounded([(-330, deck + 6), (60, deck + 6), (60, deck + 82), (-330, deck + 82)], 26)
            sheet.fill(case, PLASTIC, edge=INK)
            sheet.stroke(line((-296, deck + 66), (28, deck + 66)), WHITE, 5, opacity=0.4)
            sheet.disc((20, deck + 34), 9, "#54d68c")
        elif bike.battery is Place.SEAT_TUBE:
            angle = 180 - bike.seat_angle
            shift = moved((0, 0), angle + 90, 66)
            first, last = along(self.crank, self.seat, 0.26), along(self.crank, self.seat, 0.86)
            path = line((first[0] + shift[0], first[1] + shift[1]), (last[0] + shift[0], last[1] + shift[1]))
            sheet.stroke(path, INK, 92)
            sheet.stroke(path, PLASTIC, 82)
            sheet.stroke(
                line(*(moved(point, angle + 90, 24) for point in (path.start, path.end))), WHITE, 5, opacity=0.4
            )
            sheet.disc(along(path.start, path.end, 0.9), 9, "#54d68c")

    def _saddle(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(SADDLE)
        post = moved(self.seat, 180 - bike.seat_angle, -20)
        sheet.tube(line(post, moved(self.saddle_top, 180 - bike.seat_angle, -22)), 27, STEEL)
        sheet.part(FRAME)
        collar = moved(self.seat, 180 - bike.seat_angle, -6)
        sheet.stroke(line(collar, moved(collar, 180 - bike.seat_angle, 12)), PLASTIC, 44)
        sheet.part(SADDLE)
        x, y = self.saddle_top
        color = LEATHER if bike.leather else PLASTIC
        small = 0.8 if bike.rear < 260 and bike.frame is Frame.LOW else 1.0
        if bike.comfort:
            shape = [(-150, 12), (-128, 50), (-70, 56), (20, 34), (120, 28), (138, 12), (110, 2), (10, -12), (-90, -46)]
        else:
            shape = [(-140, 30), (-120, 46), (-40, 34), (60, 30), (150, 26), (158, 12), (120, 4), (0, 4), (-90, -14)]
        sheet.hair([line((x - 70 * small, y - 24), (x - 10, y - 34), (x + 60 * small, y - 4))], STEEL_DARK, 2.2)
        sheet.fill(
            rounded([(x + dx * small - 6, y + dy * small) for dx, dy in shape], 20), color, edge=mix(color, INK, 0.6)
        )
        sheet.stroke(
            curve((x - 122 * small, y + 38), (x - 80, y + 46), (x - 20, y + 24), (x + 96 * small, y + 18)),
            WHITE,
            6,
            opacity=0.3,
        )
        if bike.comfort and not bike.leather:
            sheet.stroke(line((x - 100, y - 40), (x - 60, y - 30)), STEEL_DARK, 14)

    def _handlebars(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(HANDLEBARS)
        if bike.frame is Frame.LOADER:
            foot, top = self.column
            sheet.tube(line(along(foot, top, 0.4), top), 30, PLASTIC)
        else:
            stem = moved(self.head_high, self.axis, 8)
            sheet.tube(line(stem, self.bar), 44 if bike.frame is Frame.FOLDING else 30, PLASTIC)
        draw = {Bar.SWEPT: self._swept_bar, Bar.DROP: self._drop_bar, Bar.FLAT: self._flat_bar}[bike.bar]
        self.lever = draw(*self.bar)

    def _swept_bar(self, x: float, y: float) -> Point:
        """A bar that comes back to the rider. Returns where the brake lever begins, as the other bars do."""
        bike, sheet = self.bike, self.sheet
        small = 0.78 if bike.rear < 260 and bike.wheelbase < 900 else 1.0
        forward = (x + 58 * small, y + 34 * small)
        back = (x - 175 * small, y + 34 * small)
        sheet.tube(line((x, y), forward), 27, PLASTIC)
        bow = curve(forward, (x + 20 * small, y + 78 * small), (x - 60, y + 72 * small), back)
        sheet.tube(bow, 19, STEEL)
        sheet.stroke(line(along(forward, back, 0.7), back), INK, 33)
        end = (back[0] + 96 * small, back[1] + 28 * small)
        grip = curve(end, (end[0] - 40, end[1] - 4), (back[0] + 40, back[1] + 8), back)
        sheet.stroke(grip, INK, 33)
        sheet.stroke(grip, LEATHER if bike.leather else PLASTIC, 28)
        return end[0] + 6, end[1] - 4

    def _drop_bar(self, x: float, y: float) -> Point:
        sheet = self.sheet
        tip = (x + 92, y + 4)
        sheet.tube(line((x, y), tip), 27, PLASTIC)
        hood = (tip[0] + 78, tip[1] + 12)
        low = (tip[0] + 20, tip[1] - 128)
        drop = joined(
            line(tip, (tip[0] + 46, tip[1] + 4)),
            curve((tip[0] + 46, tip[1] + 4), (hood[0] + 44, hood[1] - 4), (hood[0] + 26, low[1]), low),
            line(low, (low[0] - 66, low[1] - 2)),
        )
        sheet.stroke(drop, INK, 31)
        sheet.stroke(drop, PLASTIC, 26)
        brake = line((tip[0] + 50, tip[1] + 14), (hood[0] + 22, hood[1] + 32))
        sheet.stroke(brake, INK, 38)
        sheet.stroke(brake, PLASTIC_LIGHT, 33)
        return hood[0] + 30, hood[1] + 14

    def _flat_bar(self, x: float, y: float) -> Point:
        sheet = self.sheet
        forward = (x + 54, y + 24)
        sheet.tube(line((x, y), forward), 29, PLASTIC)
        grip = (forward[0] - 104, forward[1] + 34)
        pull = (forward[0] - 14, forward[1] + 26)
        bow = curve((forward[0] + 6, forward[1]), pull, (grip[0] + 40, grip[1] + 6), grip)
        sheet.stroke(bow, INK, 34)
        sheet.stroke(bow, PLASTIC_LIGHT, 28)
        sheet.stroke(line((grip[0] + 44, grip[1] + 12), (grip[0] + 4, grip[1] + 10)), WHITE, 5, opacity=0.35)
        sheet.disc(forward, 19, PLASTIC, edge=INK)
        return forward[0] + 4, forward[1] - 6

    def _box(self) -> None:
        sheet = self.sheet
        foot, _top = self.column
        floor = self.ground + 225
        left, right = foot[0] + 100, self.front[0] - self.bike.front + 60
        sheet.part(BOX)
        corners = [(left + 60, floor), (right - 70, floor), (right + 30, floor + 430), (left - 10, floor + 430)]
        sheet.fill(rounded(corners, 26), WOOD, edge=mix(WOOD, INK, 0.55))
        for share in (0.33, 0.66):
            seam = line(along(corners[0], corners[3], share), along(corners[1], corners[2], share))
            sheet.hair([seam], mix(WOOD, INK, 0.35), 1)
        sheet.stroke(line((left + 6, floor + 424), (right + 14, floor + 424)), mix(self.color, INK, 0.3), 30)
        sheet.stroke(line((left + 10, floor + 430), (right + 10, floor + 430)), WHITE, 5, opacity=0.4)
        sheet.stroke(line((left + 78, floor + 40), (left + 30, floor + 380)), WHITE, 12, opacity=0.22)

    def _carrier_behind(self) -> None:
        bike, sheet = self.bike, self.sheet
        if not bike.carrier or bike.frame in {Frame.LOADER, Frame.LONG}:
            return
        sheet.part(CARRIER)
        deck = bike.rear + (150 if bike.battery is Place.CARRIER else 56)
        tail = -bike.rear * 0.78
        sheet.stroke(line((tail + 30, deck), _HUB), INK, 16)
        sheet.stroke(line((tail * 0.28, deck), _HUB), INK, 16)

    def _carrier(self) -> None:
        bike, sheet = self.bike, self.sheet
        if not bike.carrier or bike.frame is Frame.LOADER:
            return
        sheet.part(CARRIER)
        if bike.frame is Frame.LONG:
            deck = bike.rear + 110
            left, right = -bike.rear - 170, self.seat[0] - 40
            board = rounded([(left, deck - 22), (right, deck - 22), (right, deck + 22), (left, deck + 22)], 20)
            sheet.fill(board, WOOD, edge=mix(WOOD, INK, 0.55))
            sheet.stroke(line((left + 30, deck + 8), (right - 30, deck + 8)), WHITE, 5, opacity=0.4)
            rail = [
                (left + 40, deck + 10),
                (left + 70, deck + 180),
                (right - 150, deck + 180),
                (right - 120, deck + 10),
            ]
            sheet.stroke(line(*rail), INK, 22)
            sheet.stroke(line(*rail), PLASTIC_LIGHT, 13)
            return
        deck = bike.rear + (150 if bike.battery is Place.CARRIER else 56)
        tail, nose = -bike.rear * 0.98, along(self.crank, self.seat, 0.93)[0] - 6
        if bike.frame is Frame.FOLDING:
            nose -= 30
        sheet.stroke(line((tail, deck), (nose, deck)), INK, 25)
        sheet.stroke(line((tail + 4, deck + 4), (nose - 4, deck + 4)), PLASTIC_LIGHT, 9)
        if bike.battery is Place.CARRIER:
            for x in (tail + 14, nose - 40):
                sheet.stroke(line((x, deck), (x - 4, deck - 92)), INK, 16)
        else:
            reach = min(0.8, (deck + 20 - self.crank[1]) / max(1, self.seat[1] - self.crank[1]))
            sheet.stroke(line((nose - 10, deck), along(self.crank, self.seat, reach)), INK, 18)

    def _motor(self) -> None:
        bike, sheet = self.bike, self.sheet
        sheet.part(MOTOR)
        if bike.motor is Place.CRANK:
            x, y = self.crank
            around = [(-92, 20), (-50, 96), (66, 104), (128, 30), (70, -78), (-60, -78)]
            sheet.fill(rounded([(x + dx, y + dy) for dx, dy in around], 46), PLASTIC, edge=INK)
            sheet.stroke(arc((x + 4, y + 4), 84, 70, 150), WHITE, 6, opacity=0.35)
        elif bike.motor in {Place.FRONT, Place.REAR}:
            hub = self.front if bike.motor is Place.FRONT else _HUB
            sheet.disc(hub, 92, INK)
            sheet.disc(hub, 86, PLASTIC)
            sheet.ring(hub, 70, PLASTIC_LIGHT, 7)
            sheet.stroke(arc(hub, 78, 100, 170), WHITE, 6, opacity=0.45)
            sheet.disc(hub, 24, STEEL, edge=INK)
            sheet.disc(hub, 9, STEEL_LIGHT)

    def _chain_case(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(CHAIN_GUARD)
        x, y = self.crank
        big, small = self.ring + 20, 66.0
        over = joined(
            arc((0, 0), small, 270, 96), line(moved(_HUB, 96, small), moved(self.crank, 96, big)),
            arc((x, y), big, 96, -84), closed=True,
        )  # fmt: skip
        if bike.rear > 300 and bike.motor is not Place.CRANK:
            dark = mix(self.color, INK, 0.78)
            sheet.fill(over, dark, opacity=0.96, edge=INK)
            upper = line(moved(_HUB, 96, small - 14), moved(self.crank, 96, big - 14))
            sheet.stroke(upper, WHITE, 6, opacity=0.3)
            # The chain shows through a window, so that it can be pointed at.
            sheet.part(CHAIN)
            window = line((x * 0.32, y * 0.32 + 6), (x * 0.62, y * 0.62 + 6))
            sheet.stroke(window, INK, 52)
            sheet.stroke(window, mix(dark, WHITE, 0.16), 46)
            for lift in (16, -16):
                links = line((window.start[0], window.start[1] + lift), (window.end[0], window.end[1] + lift))
                sheet.stroke(links, STEEL, 11, cap="butt")
                sheet.stroke(links, INK, 6, cap="butt", dash=f"{6 * self.scale:.2f} {5 * self.scale:.2f}")
        else:
            guard = line(moved(_HUB, 92, 74), moved(self.crank, 92, self.ring + 24))
            sheet.stroke(guard, INK, 36)
            sheet.stroke(guard, PLASTIC, 30)
            sheet.stroke(line(moved(guard.start, 90, 7), moved(guard.end, 90, 7)), WHITE, 4, opacity=0.35)

    def _pedals(self) -> None:
        sheet, bike = self.sheet, self.bike
        length = 120 if bike.rear < 260 and bike.wheelbase < 900 else 168
        angle = -58.0
        sheet.part(PEDALS)
        back = moved(self.crank, angle + 180, length)
        sheet.tube(line(self.crank, back), 24, STEEL_DARK)
        self._pedal(back)
        if bike.motor is not Place.CRANK:
            if not (bike.chain_case and bike.rear > 300):
                sheet.ring(self.crank, self.ring, STEEL_DARK, 13)
                sheet.ring(
                    self.crank, self.ring + 7, STEEL_DARK, 8, dash=f"{6 * self.scale:.2f} {4.5 * self.scale:.2f}"
                )
                arms = [line(moved(self.crank, at, 22), moved(self.crank, at, self.ring)) for at in range(18, 378, 72)]
                for arm in arms:
                    sheet.stroke(arm, STEEL, 16)
        else:
            sheet.ring(self.crank, 70, STEEL, 10)
        sheet.disc(self.crank, 34, STEEL, edge=STEEL_DARK)
        self.pedal = moved(self.crank, angle, length)
        sheet.tube(line(self.crank, self.pedal), 27, STEEL)
        self._pedal(self.pedal)
        sheet.disc(self.crank, 14, STEEL_LIGHT, edge=STEEL_DARK)

    def _pedal(self, at: Point) -> None:
        x, y = at
        self.sheet.fill(
            rounded([(x - 56, y - 16), (x + 56, y - 16), (x + 56, y + 16), (x - 56, y + 16)], 12), PLASTIC, edge=INK
        )
        self.sheet.stroke(line((x - 34, y + 6), (x + 34, y + 6)), WHITE, 5, opacity=0.3)

    def _brakes(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(BRAKES)
        if bike.brake is Brake.DISC:
            for hub, at in ((_HUB, 62.0), (self.front, 150.0)):
                place = moved(hub, at, 78)
                sheet.stroke(line(moved(place, at + 90, 18), moved(place, at - 90, 18)), INK, 40)
                sheet.stroke(line(moved(place, at + 90, 18), moved(place, at - 90, 18)), PLASTIC_LIGHT, 31)
        elif bike.brake is Brake.ROLLER:
            if bike.motor is not Place.FRONT:
                sheet.disc(self.front, 62, STEEL_DARK)
                sheet.disc(self.front, 56, STEEL)
                sheet.ring(self.front, 42, STEEL_DARK, 6)
                sheet.stroke(arc(self.front, 49, 100, 170), WHITE, 6, opacity=0.7)
                sheet.disc(self.front, 15, STEEL_LIGHT, edge=STEEL_DARK)
            else:
                sheet.disc(self.front, 40, STEEL, edge=STEEL_DARK)
                sheet.disc(self.front, 14, STEEL_LIGHT, edge=STEEL_DARK)
            sheet.stroke(line(self.front, moved(self.front, 128, 120)), STEEL_DARK, 17)
        else:
            for place, lean in ((moved(self.crown, self.axis + 180, 30), self.axis), (self._rear_brake(), 60.0)):
                arm = line(moved(place, lean + 180, 74), place)
                sheet.stroke(arm, INK, 24)
                sheet.stroke(arm, STEEL, 16)
                sheet.stroke(line(moved(place, lean + 180, 82), moved(place, lean + 180, 56)), INK, 34)
        lever = self.lever
        if bike.bar is Bar.DROP:
            grip = curve(
                lever, (lever[0] + 26, lever[1] - 30), (lever[0] + 18, lever[1] - 100), (lever[0] - 6, lever[1] - 118)
            )
        else:
            grip = curve(
                lever, (lever[0] + 6, lever[1] - 34), (lever[0] - 40, lever[1] - 50), (lever[0] - 92, lever[1] - 46)
            )
        sheet.stroke(grip, INK, 19)
        sheet.stroke(grip, STEEL, 12)

    def _rear_brake(self) -> Point:
        on_stay = along(_HUB, along(self.crank, self.seat, 0.93), 1)
        distance = math.dist(_HUB, on_stay)
        return along(_HUB, on_stay, min(0.95, (self.bike.rear + 22) / distance))

    def _lights(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(LIGHTS)
        if bike.frame is Frame.LOADER:
            front = (self.front[0] - self.bike.front + 96, self.ground + 560)
        else:
            front = moved(moved(self.head_low, self.axis, self.bike.head * 0.62), self.axis - 90, 74)
        sheet.glow((front[0] + 44, front[1] - 6), 110)
        x, y = front
        sheet.stroke(line((x - 20, y), (x - 62, y - 10)), INK, 15)
        lens = rounded([(x + 8, y - 34), (x + 36, y - 27), (x + 36, y + 27), (x + 8, y + 34)], 10)
        sheet.fill(lens, LAMP, edge=INK)
        lamp = rounded([(x - 36, y - 20), (x + 18, y - 38), (x + 18, y + 38), (x - 36, y + 24)], 14)
        sheet.fill(lamp, PLASTIC, edge=INK)
        if bike.frame is Frame.LOADER:
            back = moved(_HUB, 150, bike.rear + 34)
        elif bike.frame is Frame.LONG:
            back = (-bike.rear - 186, bike.rear + 100)
        elif bike.carrier:
            back = (-bike.rear * 0.98 - 14, bike.rear + (122 if bike.battery is Place.CARRIER else 40))
        else:
            back = moved(_HUB, 150, bike.rear + 34)
        sheet.fill(
            rounded(
                [
                    (back[0] - 14, back[1] - 24),
                    (back[0] + 14, back[1] - 24),
                    (back[0] + 14, back[1] + 22),
                    (back[0] - 14, back[1] + 22),
                ],
                10,
            ),
            REAR_LAMP,
            edge=INK,
        )

    def _kickstand(self) -> None:
        sheet, bike = self.sheet, self.bike
        sheet.part(KICKSTAND)
        long = bike.frame in {Frame.LOADER, Frame.LONG}
        top = along(_HUB, self.crank, 0.62 if not long else 0.9)
        foot = (top[0] - 74, self.ground + 8)
        if bike.frame is Frame.LOADER:
            top = (self.column[0][0] + 120, self.ground + 190)
            foot = (top[0] - 60, self.ground + 8)
        sheet.stroke(line(top, foot), INK, 25)
        sheet.stroke(line(top, foot), STEEL_DARK, 17)
        sheet.stroke(line((foot[0] - 22, foot[1]), (foot[0] + 16, foot[1])), INK, 19)

    def points(self) -> Iterator[tuple[str, Point]]:
        """Where each part is, in millimetres; also of parts that this bike does not have."""
        bike = self.bike
        front_tyre, rear_tyre = bike.front - bike.tyre / 2, bike.rear - bike.tyre / 2
        yield WHEELS, moved(self.front, -38, front_tyre)
        yield WHEELS, moved(_HUB, 215, rear_tyre)
        yield GEARS, _HUB
        yield CHAIN, (self.crank[0] * 0.48, self.crank[1] * 0.48)
        yield PEDALS, self.pedal
        yield MOTOR, self.front if bike.motor is Place.FRONT else (self.crank[0] + 20, self.crank[1] + 30)
        yield BRAKES, self.crown if bike.brake is Brake.RIM else self.front
        yield HANDLEBARS, (self.bar[0] - 40, self.bar[1] + 40)
        yield SADDLE, self.saddle_top
        yield CARRIER, (-bike.rear * 0.8, bike.rear + (150 if bike.battery is Place.CARRIER else 60))
        yield FRAME, self._frame_point()
        yield BATTERY, self._battery_point()

    def _frame_point(self) -> Point:
        head = along(self.head_low, self.head_high, 0.6)
        match self.bike.frame:
            case Frame.DIAMOND:
                return along(along(self.crank, self.seat, 0.9), head, 0.5)
            case Frame.LOADER:
                return along(self.column[0], self.front, 0.4)[0], self.ground + 190
            case Frame.FOLDING:
                return along(along(self.crank, self.seat, 0.42), head, 0.5)
            case _:
                return along(along(self.crank, self.seat, 0.55), head, 0.7)[0], (head[1] + self.crank[1]) / 2

    def _battery_point(self) -> Point:
        bike = self.bike
        if bike.battery is Place.CARRIER:
            return 10, bike.rear + 100
        if bike.battery is Place.SEAT_TUBE:
            return moved(along(self.crank, self.seat, 0.6), 180 - bike.seat_angle + 90, 66)
        return along(self.crank, self.head_low, 0.55)


def drawn_bike(kind: BikeKind, color: str) -> Sheet:
    return _Drawn(BIKES[kind], color).draw()


LEAST_APART = 62.0
"""Units of a sheet between two spots, in x or in y: 44 pixels where the sheet is as wide as a telephone."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a part is pressed: the middle of it, in units of the sheet."""

    part: str
    x: float
    y: float


@cache
def spots(kind: BikeKind) -> tuple[Spot, ...]:
    """Where each part of a bike is pressed. No two spots are nearer to each other than a finger is wide."""
    drawn = _Drawn(BIKES[kind], "#000000")
    sheet = drawn.draw()
    placed = [(part, sheet.place(point)) for part, point in drawn.points() if part in sheet.parts]
    return tuple(Spot(part, *point) for part, point in _spread(placed))


def _spread(placed: list[tuple[str, Point]]) -> list[tuple[str, Point]]:
    """Move points apart that are too near to each other, each a little, until none is."""
    points = [point for _, point in placed]
    for _round in range(400):
        still = True
        for one in range(len(points)):
            for two in range(one):
                dx, dy = points[one][0] - points[two][0], points[one][1] - points[two][1]
                if max(abs(dx), abs(dy)) >= LEAST_APART:
                    continue
                still = False
                if abs(dx) >= abs(dy):
                    push = (math.copysign((LEAST_APART - abs(dx)) / 2 + 0.05, dx), 0.0)
                else:
                    push = (0.0, math.copysign((LEAST_APART - abs(dy)) / 2 + 0.05, dy))
                points[one] = _inside((points[one][0] + push[0], points[one][1] + push[1]))
                points[two] = _inside((points[two][0] - push[0], points[two][1] - push[1]))
        if still:
            break
    return [(part, point) for (part, _), point in zip(placed, points, strict=True)]


def _inside(point: Point) -> Point:
    half = LEAST_APART / 2
    return min(max(point[0], half), WIDTH - half), min(max(point[1], half), HEIGHT - half)
