"""What a call cost, where anybody knows; an unknown price is unknown, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from inkos.config import Price
from inkos.ports import Usage

MILLION = 1_000_000


def money(usage: Usage, model: str, prices: Mapping[str, Price]) -> float | None:
    """The price of `usage` in the workspace's currency by its own table (`prices`, keyed by model name), else in USD
    by the public table of genai-prices, else null. Reasoning tokens are part of the output."""
    own = prices.get(model)
    if own is not None:
        cached_price = own.input if own.cached is None else own.cached
        fresh = max(usage.input - usage.cached, 0)
        return (fresh * own.input + usage.cached * cached_price + usage.output * own.output) / MILLION
    return _public(usage, model)


def _public(usage: Usage, model: str) -> float | None:
    import genai_prices

    counted = genai_prices.Usage(input_tokens=usage.input, cache_read_tokens=usage.cached, output_tokens=usage.output)
    try:
        total: Decimal = genai_prices.calc_price(counted, model_ref=model).total_price
    except LookupError:
        return None
    return float(total)
