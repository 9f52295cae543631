"""Where tests that draw at random begin; knows nothing of what is drawn."""

from __future__ import annotations

import os
import random


def drawn_seed() -> int:
    """SEED, or another one each time; always the same in CI, where a failure has to be of the change."""
    return int(os.environ.get("SEED", "1" if "CI" in os.environ else random.randrange(10**6)))
