"""What a call cost, where anybody knows; an unknown price is unknown, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from inkos.config import Price
from inkos.ports import Usage

MILLION = 1_000_000


def money(
    usage: Usage, model: str, prices: Mapping[str, Price], currency: str = "USD", cny_per_usd: float | None = None
) -> float | None:
    """The price of `usage` in the workspace's currency: by its own table (`prices`, keyed by model name), else by the
    public table of genai-prices, which is in USD, else null. Reasoning tokens are part of the output. Public prices
    in yuan need the workspace's own rate; without one they are unknown rather than guessed."""
    own = prices.get(model)
    if own is not None:
        if own.flat:
            return 0.0
        cached_price = own.input if own.cached is None else own.cached
        fresh = max(usage.input - usage.cached, 0)
        return (fresh * own.input + usage.cached * cached_price + usage.output * own.output) / MILLION
    rate = 1.0 if currency == "USD" else cny_per_usd
    public = None if rate is None else _public(usage, model)
    return None if public is None or rate is None else public * rate


def _public(usage: Usage, model: str) -> float | None:
    import genai_prices

    counted = genai_prices.Usage(input_tokens=usage.input, cache_read_tokens=usage.cached, output_tokens=usage.output)
    try:
        total: Decimal = genai_prices.calc_price(counted, model_ref=model).total_price
    except LookupError:
        return None
    return float(total)
