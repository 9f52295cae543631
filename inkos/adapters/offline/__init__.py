"""An author that needs nothing but this machine, behind the same port as real models; knows no pipeline."""

from __future__ import annotations

from inkos.adapters.offline.author import OfflineAuthor
from inkos.adapters.offline.faults import PlannedFault

__all__ = ["OfflineAuthor", "PlannedFault"]
