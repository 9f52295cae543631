"""Traditional characters and their simplified forms, for comparing texts; not a converter: some pairs merge words.

Common one-to-one forms only, in two aligned strings. Where several traditional characters became one (後 and 后), all
fold to that one: the table decides whether two quotes are the same passage, never how a text is written.
"""

from __future__ import annotations

TRADITIONAL = "們個這來時會說對國學後過還裡麼為"
SIMPLIFIED = "们个这来时会说对国学后过还里么为"
