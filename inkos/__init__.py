"""inkos: a production pipeline for long-form fiction with language models."""

__version__ = "0.1.0"
