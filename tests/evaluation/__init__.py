"""Golden conversations, articles in files, the gate's calibration and what trials are counted by."""
