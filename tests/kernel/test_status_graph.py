"""The one mechanism of statuses: what a sound graph is, and what it allows."""

import itertools
from enum import StrEnum

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from portal.kernel.status_graph import StatusGraph, UnsoundGraph, combined_transitions


class Light(StrEnum):
    """A small example."""

    OFF = "off"
    RED = "red"
    GREEN = "green"
    BROKEN = "broken"


SOUND = {Light.OFF: [Light.RED], Light.RED: [Light.GREEN, Light.BROKEN], Light.GREEN: [Light.RED]}


def test_only_declared_moves_are_allowed() -> None:
    graph = StatusGraph(Light.OFF, combined_transitions(SOUND))
    allowed = {(one, other) for one in Light for other in Light if graph.allows(one, other)}
    assert allowed == {
        (Light.OFF, Light.RED),
        (Light.RED, Light.GREEN),
        (Light.RED, Light.BROKEN),
        (Light.GREEN, Light.RED),
    }
    assert graph.ends == {Light.BROKEN}
    assert graph.following(Light.RED) == [Light.GREEN, Light.BROKEN]


def test_the_shortest_way_is_found() -> None:
    graph = StatusGraph(Light.OFF, combined_transitions(SOUND))
    assert graph.path_to(Light.OFF) == [Light.OFF]
    assert graph.path_to(Light.BROKEN) == [Light.OFF, Light.RED, Light.BROKEN]
    with pytest.raises(KeyError):
        StatusGraph(Light.OFF, combined_transitions({Light.OFF: [Light.RED]})).path_to(Light.BROKEN)


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ({Light.OFF: [Light.RED], Light.GREEN: [Light.RED]}, "never reached: green"),
        ({Light.OFF: [Light.RED, Light.BROKEN], Light.RED: [Light.GREEN], Light.GREEN: [Light.RED]}, "leads nowhere"),
    ],
)
def test_an_unsound_graph_cannot_be_declared(declared: dict[Light, list[Light]], reason: str) -> None:
    with pytest.raises(UnsoundGraph, match=reason):
        StatusGraph(Light.OFF, combined_transitions(declared))


@given(st.dictionaries(st.sampled_from(Light), st.sets(st.sampled_from(Light)), min_size=1))
def test_whatever_is_accepted_has_no_dead_end_and_nothing_out_of_reach(declared: dict[Light, set[Light]]) -> None:
    try:
        graph = StatusGraph(Light.OFF, combined_transitions(declared))
    except UnsoundGraph:
        reject()
    for status in graph.statuses:
        way = graph.path_to(status)
        assert way[0] == Light.OFF
        assert all(graph.allows(before, after) for before, after in itertools.pairwise(way))
        assert status in graph.ends or graph.after(status) & graph.ends
