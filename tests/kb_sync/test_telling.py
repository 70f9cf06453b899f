"""What went wrong is one sentence for a person, one object for a program, and a trace in a file for whoever repairs it."""

import pytest

from bot.settings import Settings
from kb_sync.telling import logged


def test_an_unexpected_error_is_one_sentence_and_its_trace_is_in_a_file(tmp_path):
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 / 0

    sentence = logged(caught.value, Settings(data_dir=tmp_path))

    log = tmp_path / "kb_sync.log"
    assert sentence.endswith(f"ZeroDivisionError; the details are in {log}")
    assert "Traceback" in log.read_text()
