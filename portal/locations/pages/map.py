"""The map beside a list of locations: its state and its component (decision 0129).

The list stays the question, and the map is an extra: it shows where the locations of the list are, and pressing one of
its pins chooses in the list. The state says which part of the map is shown; the style sheet goes there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from portal import ui
from portal.i18n import _
from portal.locations.api import LocationResults
from portal.locations.rules import maps
from portal.reflex_adapter.state import assign_changed

FILE = "/map/benelux.svg"


_PLACE = f"z-10 max-lg:sticky max-lg:top-16 max-lg:-mx-1 max-lg:bg-paper max-lg:px-1 max-lg:py-2 {ui.RIGHT_HALF}"


@dataclass(frozen=True, slots=True)
class MapView:
    shown: bool = False
    x: float = 0.0
    y: float = 0.0
    across: float = 1000.0
    from_x: float = 0.0
    from_y: float = 0.0
    closest: bool = False
    widest: bool = False
    whole: bool = True
    pins: list[maps.Pin] = field(default_factory=list)
    names: list[maps.Name] = field(default_factory=list)


class MapState(rx.State, mixin=True):
    """What the map beside a list shows. `lit`: the location that is chosen or was pressed; empty if there is none."""

    area: rx.Field[MapView] = rx.field(default_factory=MapView)
    lit: rx.Field[str] = rx.field("")
    map_open: rx.Field[bool] = rx.field(False)
    _places: rx.Field[dict[str, tuple[float, float]]] = rx.field(default_factory=dict)
    _middle: rx.Field[tuple[float, float]] = rx.field((0.0, 0.0))

    def _listed(self) -> list[tuple[str, str]]:
        """Hook: id and name of each location of the list, in its order."""
        raise NotImplementedError

    def _locate(self, results: LocationResults) -> None:
        found = {
            entry.location_id: maps.project(entry.latitude, entry.longitude)
            for entry in results.items
            if maps.is_on_map(entry.latitude, entry.longitude)
        }
        place = results.place
        self._middle = maps.project(place.latitude, place.longitude)
        on_map = maps.is_on_map(place.latitude, place.longitude)
        self._places = {} if not on_map else found if results.page == 1 else self._places | found

    def _points(self) -> dict[str, tuple[float, float]]:
        return {key: self._places[key] for key, _name in self._listed() if key in self._places}

    def _show_all(self) -> None:
        points = self._points()
        self._draw(maps.view_of([self._middle, *points.values()]) if points else None, whole=True)

    def _show_one(self, location_id: str) -> None:
        known = {key for key, _name in self._listed()}
        self.lit = location_id if location_id in known else ""
        point = self._points().get(self.lit)
        if point is not None:
            self._draw(maps.view_of([self._middle, point]))

    def _zoom(self, *, closer: bool) -> None:
        if self.area.shown:
            view = maps.View(self.area.x, self.area.y, self.area.across)
            self._draw(maps.zoomed(view, closer=closer))

    def _draw(self, view: maps.View | None, *, whole: bool = False) -> None:
        assign_changed(self, {"area": MapView() if view is None else self._drawn(view, whole=whole)})

    def _drawn(self, view: maps.View, *, whole: bool) -> MapView:
        points = self._points()
        numbered = maps.numbered(view, points, self.lit)
        return MapView(
            shown=True,
            x=round(view.x, 1),
            y=round(view.y, 1),
            across=round(view.across, 1),
            from_x=round(self._middle[0], 1),
            from_y=round(self._middle[1], 1),
            closest=view.across <= maps.CLOSEST,
            widest=view.across >= maps.WIDEST,
            whole=whole,
            pins=[
                maps.Pin(key, name, number, *(round(value, 1) for value in points[key]), labelled=key in numbered)
                for number, (key, name) in enumerate(self._listed(), 1)
                if key in points and maps.is_in_view(view, points[key])
            ],
            names=[
                maps.Name(name.text, round(name.x, 1), round(name.y, 1))
                for name in maps.names(view, [self._middle, *(points[key] for key in numbered)])
            ],
        )


PinVar = rx.vars.ObjectVar[maps.Pin]
_NameVar = rx.vars.ObjectVar[maps.Name]
_CLOSER, _WIDER = "M12 5v14M5 12h14", "M5 12h14"


def location_map(state: type[MapState], pin: Callable[[PinVar], rx.Component], *, hidden: bool) -> rx.Component:
    """The map beside a list, above it on a small screen, where it is folded; empty while there is nothing to show."""
    area = state.area.to(MapView)
    pins: dict[str, Any] = {"aria-hidden": "true"} if hidden else {"role": "group", "aria-label": _("On the map")}
    shown = rx.cond(
        area.shown,
        rx.el.div(
            rx.el.div(
                _ground(),
                rx.el.div(
                    rx.foreach(area.names, _name),
                    rx.el.span(class_name="map-at map-from", custom_attrs=_at(area.from_x, area.from_y)),
                    class_name="map-names",
                    aria_hidden="true",
                ),
                rx.el.div(rx.foreach(area.pins, lambda entry: _pin(entry, pin)), custom_attrs=pins),
                class_name="map-view",
                custom_attrs=_numbers({"--map-x": area.x, "--map-y": area.y, "--map-across": area.across}),
            ),
            _controls(state, area),
            class_name="map",
        ),
    )
    return rx.el.div(shown, class_name=rx.cond(state.map_open, f"map-above {_PLACE}", f"{_PLACE} max-lg:hidden"))


def map_button(state: type[MapState], on_click: Any) -> rx.Component:
    return unfolding_button(_("Map"), state.map_open, on_click, _MAP)


def unfolding_button(text: Any, is_open: rx.Var[bool], on_click: Any, shape: str) -> rx.Component:
    return rx.el.button(
        _picture(shape),
        text,
        type="button",
        on_click=on_click,
        class_name="chip gap-2 font-semibold lg:hidden",
        aria_expanded=rx.cond(is_open, "true", "false"),
    )


def number_on_map(place: rx.Var[int]) -> rx.Component:
    """The number by which the map shows an entry of the list; `place` is from 0. For who sees the map."""
    return rx.el.span(place.to(int) + rx.Var.create(1), class_name="map-number", aria_hidden="true")


def pin_attributes(pin: PinVar, lit: rx.Var[str]) -> dict[str, Any]:
    return {"class_name": "map-pin", "data_lit": rx.cond(lit == pin.location_id, "true", "false")}


FILTERS = "M4 7h9m5 0h2M4 17h2m5 0h9M13 4.5h5v5h-5ZM6 14.5h5v5H6Z"
_MAP = "m4 7 5-2.5 6 3 5-2.5v12l-5 2.5-6-3L4 19ZM9 4.5v12m6-9v12"


def _ground() -> rx.Component:
    """The drawing. Each layer has the colour of its class, so it is right in both themes."""
    layers = [rx.el.svg.use(href=f"{FILE}#{layer}", class_name=f"map-{layer}") for layer in maps.LAYERS]
    return rx.el.svg(
        rx.el.svg.g(*layers, class_name="map-layers"),
        class_name="map-ground",
        custom_attrs={"viewBox": "-500 -400 1000 800", "aria-hidden": "true", "focusable": "false"},
    )


def _at(x: rx.Var[float], y: rx.Var[float]) -> dict[str, Any]:
    return _numbers({"--at-x": x, "--at-y": y})


def _numbers(values: dict[str, rx.Var[float]]) -> dict[str, Any]:
    # One variable: Reflex looks for variables among the attributes, not within them.
    return {"style": rx.Var.create(values)}


def _name(name: _NameVar) -> rx.Component:
    return rx.el.span(name.text, key=name.text, class_name="map-at map-name", custom_attrs=_at(name.x, name.y))


def _pin(entry: PinVar, pin: Callable[[PinVar], rx.Component]) -> rx.Component:
    shown = rx.cond(entry.labelled, pin(entry), rx.el.span(class_name="map-dot"))
    return rx.el.div(shown, key=entry.location_id, class_name="map-at", custom_attrs=_at(entry.x, entry.y))


def _controls(state: Any, area: rx.vars.ObjectVar[MapView]) -> rx.Component:
    return rx.el.div(
        rx.cond(
            area.whole,
            rx.fragment(),
            rx.el.button(_("Show all"), type="button", on_click=state.show_all, class_name="map-control px-4"),
        ),
        _control(_CLOSER, _("Zoom in"), area.closest, state.zoom(True)),
        _control(_WIDER, _("Zoom out"), area.widest, state.zoom(False)),
        class_name="map-controls",
        role="group",
        aria_label=_("Map"),
    )


def _control(shape: str, name: Any, at_the_end: rx.Var[bool], on_click: Any) -> rx.Component:
    return rx.el.button(
        _picture(shape),
        ui.hidden_text(name),
        type="button",
        on_click=on_click,
        class_name="map-control w-11",
        aria_disabled=rx.cond(at_the_end, "true", "false"),
    )


def _picture(shape: str) -> rx.Component:
    return rx.el.svg(
        rx.el.svg.path(d=shape),
        class_name="size-5 shrink-0",
        custom_attrs={
            "viewBox": "0 0 24 24",
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": "2",
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
            "aria-hidden": "true",
            "focusable": "false",
        },
    )
