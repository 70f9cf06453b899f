"""Golden sets, metrics, calibration, replay and inspection: how good the answers are, in numbers."""
