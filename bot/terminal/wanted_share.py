"""What `calibrate` asks on a terminal: how many near-topic questions may pass, after it showed what that costs."""

from dataclasses import replace
from typing import TextIO

from rich.console import Console
from rich.text import Text

from bot.errors import Refused
from bot.evaluation.calibration import Limits
from bot.terminal.calibrating import Measurement, Report, settled
from bot.terminal.calibration_report import show_trade_off

_QUESTION = "How many of a hundred near-topic questions may pass?"
_AGAIN = "Give a number from 0 to 100, such as 15."


def asked(measurement: Measurement, console: Console, stream: TextIO | None = None) -> Report:
    """Show what the usual limits let through, and settle the threshold with the share that is wanted instead."""
    usual = Limits()
    proposed = settled(measurement, usual)
    show_trade_off(proposed, console)
    share = wanted_share(usual.near, console, stream)
    if share == usual.near:
        return proposed
    report = settled(measurement, replace(usual, near=share))
    show_trade_off(report, console)
    return report


def wanted_share(default: float, console: Console, stream: TextIO | None = None) -> float:
    """Ask until a number is given, and return it as a share; Refused when the answers end. Reads *stream*, else the terminal."""
    question = Text(f"{_QUESTION} [{default * 100:g}]: ")
    try:
        while (share := _to_share(console.input(question, stream=stream).strip(), default)) is None:
            console.print(_AGAIN)
    except EOFError as exc:
        raise Refused("no share was given, and nothing is stored; give it with --near") from exc
    return share


def _to_share(typed: str, default: float) -> float | None:
    """Return the share, the default for nothing typed, and None for what is no number from 0 to 100."""
    if not typed:
        return default
    try:
        hundredths = float(typed.removesuffix("%"))
    except ValueError:
        return None
    return hundredths / 100 if 0 <= hundredths <= 100 else None
