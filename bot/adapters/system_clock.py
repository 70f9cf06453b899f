"""The machine's clock and random source."""

import secrets
import time


class SystemClock:
    """Real time, real randomness."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic_s(self) -> float:
        return time.monotonic()

    def new_id(self) -> str:
        return secrets.token_hex(16)
