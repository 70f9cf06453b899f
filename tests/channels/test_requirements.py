"""Which tests hold what is required of the widget and its server (FAULTS §2, W1 to W17, and rows R-W1 to R-W19)."""

import re

import pytest

from tests.rules.tree import ROOT

REQUIRED = [*(f"W{n}" for n in range(1, 18)), *(f"R-W{n}" for n in range(1, 20))]
TEST = r"\w+"
# A test's name, or a file where all of it is about this.
HELD_BY = {
    "W1": ["channels/test_tokens.py"],
    "W2": [
        "channels/test_sockets.py test_a_token_in_the_address_is_worth_nothing",
        "channels/test_sockets.py test_a_socket_that_never_names_itself_is_closed",
        "channels/test_malformed.py",
    ],
    "W3": ["channels/test_identities.py", "channels/test_sessions.py"],
    "W4": ["channels/test_origins.py", "channels/console/test_socket.py test_another_site_cannot_open_it"],
    "W5": ["channels/test_crossing.py"],
    "W6": ["channels/test_bad_input.py", "channels/test_open_sockets.py", "channels/test_throttling.py"],
    "W7": ["channels/test_routes.py test_a_hundred_repeats_are_one_message_with_one_answer"],
    "W8": [
        "browser/test_chat_cuts.py",
        "channels/test_sockets.py test_a_reconnecting_client_gets_what_it_missed_once",
        "faults/test_soak.py",
    ],
    "W9": [
        "channels/test_open_sockets.py test_a_line_is_never_silent_and_a_peer_that_is_gone_is_dropped",
        "browser/test_chat_tabs.py test_a_line_that_says_nothing_any_more_is_noticed_when_the_tab_is_looked_at",
    ],
    "W10": ["channels/test_open_sockets.py test_one_stalled_reader_of_many_delays_nobody_and_is_bounded"],
    "W11": ["faults/test_readiness.py", "faults/test_stopping.py", "faults/test_soak.py"],
    "W12": ["bench/load.py"],
    "W13": ["faults/test_two_processes.py", "adapters/test_sqlite_elsewhere.py"],
    "W14": ["browser/test_hostile_texts.py", "channels/test_rendering.py"],
    "W15": ["channels/console/test_pages.py", "channels/test_web.py test_pages_run_only_our_own_files"],
    "W16": [
        "channels/console/test_rights.py test_a_move_needs_the_cookie_the_token_and_our_own_page",
        "channels/console/test_sessions.py test_the_sixth_sign_in_waits_whichever_account_it_is_for",
        "channels/console/test_sessions.py test_a_sign_in_rotates_the_session_of_the_cookie_that_is_sent_along",
        "channels/console/test_socket.py test_who_signs_out_hears_nothing_more",
    ],
    "W17": ["bench/load.py"],
    "R-W1": ["channels/test_origins.py test_a_foreign_origin_gets_403_before_the_upgrade"],
    "R-W2": [
        "channels/test_tokens.py",
        "channels/test_erased.py",
        "channels/test_routes.py test_a_refused_token_is_told_to_begin_anew",
    ],
    "R-W3": ["channels/test_crossing.py test_what_is_no_more_is_refused_like_what_never_was"],
    "R-W4": ["channels/test_identities.py", "browser/test_identity.py"],
    "R-W5": [
        "channels/test_routes.py test_a_hundred_repeats_are_one_message_with_one_answer",
        "channels/test_routes.py test_the_same_id_with_another_body_is_a_conflict",
    ],
    "R-W6": ["browser/test_chat_cuts.py"],
    "R-W7": [
        "channels/test_routes.py test_a_bad_cursor_is_refused",
        "channels/test_routes.py test_an_old_cursor_replays_and_a_future_one_starts_over",
    ],
    "R-W8": [
        "browser/test_chat_tabs.py test_a_tab_that_slept_for_an_hour_catches_up_with_messages_and_state"
    ],
    "R-W9": ["channels/openapi/test_socket_fuzz.py", "channels/test_bad_input.py"],
    "R-W10": [
        "channels/test_routes.py test_writing_too_fast_is_refused_with_the_time_to_wait",
        "channels/test_routes.py test_one_customers_limit_is_not_another_ones",
        "channels/test_open_sockets.py test_one_address_too_many_is_refused_before_the_upgrade",
    ],
    "R-W11": [
        "channels/test_sockets.py test_a_reader_that_falls_behind_is_closed_with_1013_and_others_are_not",
        "channels/test_open_sockets.py test_one_stalled_reader_of_many_delays_nobody_and_is_bounded",
    ],
    "R-W12": ["faults/test_stopping.py"],
    "R-W13": ["faults/test_kill_points.py"],
    "R-W14": ["channels/test_open_sockets.py test_no_router_sees_a_silent_line"],
    "R-W15": [
        "faults/test_two_processes.py test_what_is_written_through_one_process_is_told_on_the_sockets_of_the_other"
    ],
    "R-W16": ["channels/test_clock.py", "channels/test_throttling.py"],
    "R-W17": ["browser/test_hostile_texts.py", "browser/test_hostile_console.py"],
    "R-W18": ["bench/load.py"],
    "R-W19": ["channels/test_alarms.py"],
}


def test_every_requirement_is_held_by_something():
    assert sorted(HELD_BY) == sorted(REQUIRED)


@pytest.mark.parametrize("required", REQUIRED)
def test_what_holds_it_is_there(required):
    for held_by in HELD_BY[required]:
        path, _, name = held_by.partition(" ")
        text = (ROOT / "tests" / path).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {name or TEST}\(", text, re.MULTILINE), held_by
