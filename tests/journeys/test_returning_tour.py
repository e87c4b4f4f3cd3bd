"""The standard of every flow, as far as one tour through each flow of returns tells (flow-standard F1-F57)."""

from __future__ import annotations

import pytest

from tests.journeys.test_flow_tour import (
    test_f1_every_step_has_one_heading_of_its_own,
    test_f2_the_title_says_where_one_is_and_when_something_is_wrong,
    test_f5_the_way_back_is_a_link_to_the_step_before,
    test_f10_the_counter_counts_up_to_a_steady_total,
    test_f12_nothing_is_checked_before_next_is_pressed,
    test_f13_the_summary_names_and_links_every_error_in_the_same_words,
    test_f14_a_wrong_field_is_tied_to_its_error,
    test_f15_nothing_that_was_typed_is_cleared_by_an_error,
    test_f16_the_button_is_never_disabled,
    test_f19_fields_have_the_right_keyboard_and_are_never_numbers,
    test_f21_only_what_is_known_is_chosen_beforehand_and_the_keyboard_chooses,
    test_f22_choosing_goes_nowhere,
    test_f26_the_check_page_tells_everything_that_was_answered,
    test_f33_the_road_ahead_stands_on_the_first_page,
    test_f43_the_bar_never_hides_what_has_the_focus,
    test_f44_the_button_stays_in_reach_on_a_small_screen,
    test_f49_help_stands_in_the_same_place_on_every_page,
    test_f57_a_road_with_fixed_phases_is_no_history,
    test_no_step_leaves_more_than_a_third_of_a_wide_screen_empty,
    test_pictures_take_few_bytes_in_the_first_screen_of_every_page,
    test_the_next_step_is_loaded_before_it_is_asked_for,
)
from tests.support.flows import FlowCase
from tests.support.keyboard import by_keyboard
from tests.support.return_cases import EXCHANGE, ORDER_RETURN, RETURNS
from tests.support.tours import Touring
from tests.support.walks import Walking

# As in `test_flow_tour`.
pytestmark = pytest.mark.timeout(400)

__all__ = [
    "test_f1_every_step_has_one_heading_of_its_own",
    "test_f2_the_title_says_where_one_is_and_when_something_is_wrong",
    "test_f5_the_way_back_is_a_link_to_the_step_before",
    "test_f10_the_counter_counts_up_to_a_steady_total",
    "test_f12_nothing_is_checked_before_next_is_pressed",
    "test_f13_the_summary_names_and_links_every_error_in_the_same_words",
    "test_f14_a_wrong_field_is_tied_to_its_error",
    "test_f15_nothing_that_was_typed_is_cleared_by_an_error",
    "test_f16_the_button_is_never_disabled",
    "test_f19_fields_have_the_right_keyboard_and_are_never_numbers",
    "test_f21_only_what_is_known_is_chosen_beforehand_and_the_keyboard_chooses",
    "test_f22_choosing_goes_nowhere",
    "test_f26_the_check_page_tells_everything_that_was_answered",
    "test_f33_the_road_ahead_stands_on_the_first_page",
    "test_f43_the_bar_never_hides_what_has_the_focus",
    "test_f44_the_button_stays_in_reach_on_a_small_screen",
    "test_f49_help_stands_in_the_same_place_on_every_page",
    "test_f57_a_road_with_fixed_phases_is_no_history",
    "test_no_step_leaves_more_than_a_third_of_a_wide_screen_empty",
    "test_pictures_take_few_bytes_in_the_first_screen_of_every_page",
    "test_the_next_step_is_loaded_before_it_is_asked_for",
]


@pytest.fixture(params=RETURNS, ids=str)
def case(request: pytest.FixtureRequest) -> FlowCase:
    """Every flow of returns in turn."""
    return request.param


def test_every_page_of_a_return_is_accessible_and_fits(tour: Touring) -> None:
    assert not tour().problems


@pytest.mark.parametrize("case", [EXCHANGE, ORDER_RETURN], indirect=True, ids=str)
def test_a_return_is_done_with_the_keyboard_alone_on_the_smallest_screen(walk: Walking) -> None:
    walking = walk(width=320)
    by_keyboard(walking)
    page = walking.page
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
