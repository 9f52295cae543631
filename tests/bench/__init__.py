"""Benchmarks: figures of design/bars.md, printed by modules that can be run; no test lives here."""
