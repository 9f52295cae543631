"""Real model services behind the model port; importing it loads no client library."""

from __future__ import annotations

from inkos.adapters.models.desk import RouteDesk
from inkos.adapters.models.openai import OpenAIModel
from inkos.adapters.models.prices import money
from inkos.adapters.models.reach import Reached, reach

__all__ = ["OpenAIModel", "Reached", "RouteDesk", "money", "reach"]
