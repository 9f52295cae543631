"""Real model services behind the model port; importing it loads no client library."""

from __future__ import annotations

from inkos.adapters.models.desk import RouteDesk
from inkos.adapters.models.prices import money
from inkos.adapters.models.reach import Reached, reach
from inkos.adapters.models.service import ServiceModel

__all__ = ["Reached", "RouteDesk", "ServiceModel", "money", "reach"]
