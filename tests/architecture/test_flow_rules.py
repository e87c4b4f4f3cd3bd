"""Every rule of the standard (flow-standard F1-F58) has its test, and the test is there."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from portal.launch import ROOT

RULES: dict[int, tuple[str, ...]] = {
    1: ("journeys/test_flow_tour.py::test_f1_every_step_has_one_heading_of_its_own",),
    2: ("journeys/test_flow_tour.py::test_f2_the_title_says_where_one_is_and_when_something_is_wrong",),
    3: (
        "journeys/test_flow_rules.py::test_f3_the_focus_goes_to_the_heading_or_the_summary_and_is_left_alone_by_a_reload",
    ),
    4: ("journeys/test_flow_rules.py::test_f4_back_and_forward_show_every_step_as_it_was_left",),
    5: ("journeys/test_flow_tour.py::test_f5_the_way_back_is_a_link_to_the_step_before",),
    6: ("journeys/test_flow_rules.py::test_f6_a_step_too_early_leads_to_the_first_open_one_without_being_seen",),
    7: (
        "journeys/test_flow_rules.py::test_f6_f7_without_a_draft_steps_lead_to_the_beginning_and_the_confirmation_explains_itself",
    ),
    8: ("journeys/test_flow_rules.py::test_f8_answers_survive_reloading_a_new_login_and_another_device",),
    9: ("journeys/test_flow_ends.py::test_f9_another_subject_asks_again_and_leads_back_to_checking",),
    10: ("journeys/test_flow_tour.py::test_f10_the_counter_counts_up_to_a_steady_total",),
    11: ("journeys/test_flow_rules.py::test_f11_the_later_of_two_tabs_is_warned_and_wins_when_it_insists",),
    12: ("journeys/test_flow_tour.py::test_f12_nothing_is_checked_before_next_is_pressed",),
    13: ("journeys/test_flow_tour.py::test_f13_the_summary_names_and_links_every_error_in_the_same_words",),
    14: ("journeys/test_flow_tour.py::test_f14_a_wrong_field_is_tied_to_its_error",),
    15: ("journeys/test_flow_tour.py::test_f15_nothing_that_was_typed_is_cleared_by_an_error",),
    16: ("journeys/test_flow_tour.py::test_f16_the_button_is_never_disabled",),
    17: (
        "journeys/test_flow_begin.py::test_f17_somebody_who_cannot_begin_learns_why",
        "journeys/test_flow_begin.py::test_f17_what_cannot_be_chosen_says_why_on_its_card",
    ),
    18: (
        "flow/test_rules.py::test_an_iban_may_have_spaces_and_lower_case",
        "flow/test_rules.py::test_a_number_takes_a_comma_or_a_point",
        "flow/test_rules.py::test_a_postcode_and_a_phone_number_follow_the_country",
        "work_orders/test_flow_claim.py::test_a_policy_number_is_read_as_it_is_written",
    ),
    19: ("journeys/test_flow_tour.py::test_f19_fields_have_the_right_keyboard_and_are_never_numbers",),
    20: ("journeys/test_flow_begin.py::test_f20_the_bike_of_its_own_page_is_answered_and_shown_as_such",),
    21: ("journeys/test_flow_tour.py::test_f21_only_what_is_known_is_chosen_beforehand_and_the_keyboard_chooses",),
    22: ("journeys/test_flow_tour.py::test_f22_choosing_goes_nowhere",),
    23: (
        "flow/test_standard.py::test_f23_a_longer_text_has_its_bounds_after_trimming",
        "journeys/test_forms.py::test_the_count_says_what_is_missing_left_or_too_many",
        "journeys/test_forms.py::test_the_count_is_announced_after_a_pause",
    ),
    24: ("journeys/test_repair.py::test_f24_a_month_ahead_is_a_warning_that_one_can_go_past",),
    25: (
        "journeys/test_delivery_date.py::test_the_keyboard_alone_asks_for_a_day_on_a_small_screen",
        "journeys/test_delivery_date.py::test_every_status_has_its_view",
    ),
    26: ("journeys/test_flow_tour.py::test_f26_the_check_page_tells_everything_that_was_answered",),
    27: ("journeys/test_flow_ends.py::test_f27_every_answer_can_be_changed_and_leads_straight_back",),
    28: (
        "journeys/test_flow_ends.py::test_f28_f30_pressed_twice_it_is_one_request_and_back_shows_that_it_was_sent",
        "journeys/test_flow_ends.py::test_f28_sent_from_two_tabs_it_is_one_request",
        "journeys/test_flow_ends.py::test_f37_a_server_that_stops_loses_nothing",
    ),
    29: (
        "journeys/test_flow_ends.py::test_f29_f31_a_refused_request_stays_as_it_was_and_once_sent_the_page_says_what_happens_next",
    ),
    30: ("journeys/test_flow_ends.py::test_f28_f30_pressed_twice_it_is_one_request_and_back_shows_that_it_was_sent",),
    31: (
        "journeys/test_flow_ends.py::test_f29_f31_a_refused_request_stays_as_it_was_and_once_sent_the_page_says_what_happens_next",
    ),
    32: ("journeys/test_order_return.py::test_f32_an_order_return_waits_in_amber_for_its_link",),
    33: ("journeys/test_flow_tour.py::test_f33_the_road_ahead_stands_on_the_first_page",),
    34: (
        "journeys/test_account_states.py::test_a_short_wait_shows_nothing_at_all",
        "journeys/test_account_states.py::test_somebody_who_waits_very_long_is_informed",
        "journeys/test_account_states.py::test_somebody_who_waits_very_long_for_a_question_is_informed",
    ),
    35: (
        "journeys/test_account_states.py::test_a_long_wait_shows_a_skeleton_that_nothing_jumps_from",
        "journeys/test_account_states.py::test_what_cannot_be_loaded_is_reported_and_trying_again_works",
    ),
    36: ("journeys/test_flow_tour.py::test_f36_a_step_changes_within_four_tenths_of_a_second",),
    37: ("journeys/test_flow_ends.py::test_f37_a_server_that_stops_loses_nothing",),
    38: (
        "journeys/test_shell.py::test_a_lost_server_is_reported_and_typing_goes_on",
        "journeys/test_shell.py::test_a_browser_that_says_it_is_offline_is_believed",
    ),
    39: (
        "journeys/test_flow_unsent.py::test_f39_leaving_with_something_typed_asks_first",
        "journeys/test_flow_unsent.py::test_f39_the_browser_asks_only_when_something_would_be_lost",
        "journeys/test_flow_files_sending.py::test_f39_f52_while_files_are_on_their_way_next_waits_and_leaving_asks",
    ),
    40: (
        "journeys/test_flow_unsent.py::test_f40_after_the_session_ended_one_is_back_at_the_same_step",
        "journeys/test_session.py::test_a_warning_comes_two_minutes_before_the_end_and_the_page_resumes_after_it",
    ),
    41: (
        "journeys/test_shell.py::test_a_page_that_breaks_leaves_the_shell_and_says_so",
        "journeys/test_problem_pages.py::test_a_problem_is_explained_in_the_language_of_the_visitor",
    ),
    42: (
        "journeys/test_shell.py::test_the_skip_link_comes_first_and_leads_to_the_content",
        "journeys/test_flow_tour.py::test_f42_f45_every_page_is_accessible_and_fits",
    ),
    43: ("journeys/test_flow_tour.py::test_f43_the_bar_never_hides_what_has_the_focus",),
    44: ("journeys/test_flow_tour.py::test_f44_the_button_stays_in_reach_on_a_small_screen",),
    45: ("journeys/test_flow_tour.py::test_f42_f45_every_page_is_accessible_and_fits",),
    46: (
        "journeys/test_shell.py::test_the_drawer_keeps_the_keyboard_and_gives_the_focus_back",
        "journeys/test_shell.py::test_the_drawer_closes_when_the_screen_becomes_wide",
    ),
    47: ("journeys/test_shell.py::test_the_menu_says_where_the_visitor_is",),
    48: ("journeys/test_flow_unsent.py::test_f48_another_language_keeps_the_step_and_what_was_typed",),
    49: ("journeys/test_flow_tour.py::test_f49_help_stands_in_the_same_place_on_every_page",),
    50: (
        "journeys/test_toasts.py::test_a_notification_leaves_after_three_seconds",
        "journeys/test_toasts.py::test_the_eleventh_is_dropped_and_there_is_room_again_after_ten_have_left",
        "journeys/test_toasts.py::test_time_stands_still_while_the_focus_is_inside",
        "journeys/test_toasts.py::test_a_notification_without_a_time_stays_for_an_hour",
    ),
    51: (
        "journeys/test_login_code.py::test_the_field_of_the_code_helps_phones_and_managers",
        "journeys/test_login_code.py::test_a_wrong_code_stays_on_the_page_with_the_code_selected",
        "journeys/test_login_code.py::test_the_wait_for_the_next_code_is_shown",
    ),
    52: (
        "journeys/test_flow_files.py::test_f52_the_limits_are_said_before_anything_is_chosen",
        "journeys/test_flow_files.py::test_f52_files_are_listed_with_picture_size_and_state",
        "journeys/test_flow_files.py::test_f52_what_cannot_be_used_says_so_beside_its_name",
        "journeys/test_flow_files.py::test_f52_five_fit_and_the_sixth_does_not",
        "journeys/test_flow_files.py::test_f52_files_are_still_there_after_reloading_and_on_other_steps",
        "journeys/test_flow_files_sending.py::test_f39_f52_while_files_are_on_their_way_next_waits_and_leaving_asks",
        "journeys/test_flow_files_sending.py::test_f52_a_file_that_broke_off_can_be_tried_again",
        "journeys/test_flow_files_sending.py::test_f52_a_cancelled_file_leaves_nothing_behind",
    ),
    53: (
        "journeys/test_dialogs.py::test_a_popup_explains_and_gives_the_focus_back",
        "journeys/test_login.py::test_popups_explain_where_the_numbers_are",
    ),
    54: (
        "locations/test_state.py::test_the_list_opens_around_the_address_with_the_choice_in_it",
        "journeys/test_service_location.py::test_a_place_that_is_not_known_is_reported_beside_the_field_and_as_a_notification",
        "locations/test_state.py::test_the_list_can_be_filtered_sorted_widened_and_extended",
        "journeys/test_service_location.py::test_the_list_is_used_with_the_keyboard_alone",
    ),
    55: ("journeys/test_account_states.py::test_a_list_without_entries_says_what_it_is_for",),
    56: ("journeys/test_account.py::test_f56_a_status_is_a_text_and_never_a_link",),
    57: ("journeys/test_flow_tour.py::test_f57_a_road_with_fixed_phases_is_no_history",),
    58: (
        "journeys/test_flow_begin.py::test_f58_throwing_a_request_away_asks_first_and_starts_on_the_safe_answer",
        "journeys/test_dialogs.py::test_a_final_question_starts_on_the_safe_answer",
        "journeys/test_flow_files.py::test_f58_removing_the_last_file_asks",
    ),
}
"""The tests of each rule, below `tests`. Those about the shell, login and notifications are tested once."""


@cache
def _functions(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / path).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("rule", range(1, 59), ids=lambda rule: f"F{rule}")
def test_every_rule_has_a_test_that_is_there(rule: int) -> None:
    assert rule in RULES, "no test of this rule"
    for reference in RULES[rule]:
        path, _, name = reference.partition("::")
        assert name in _functions(path), f"{reference} is not there"


def test_a_test_that_names_a_rule_is_listed_with_it() -> None:
    listed = {reference for references in RULES.values() for reference in references}
    tour = "journeys/test_flow_tour.py"
    named = {f"{tour}::{name}" for name in _functions(tour) if name.startswith("test_f")}
    assert not named - listed
