"""A batch's board, leases, limits and engine in one database; the only room that knows dbos and SQLAlchemy.

Nothing here is imported before a batch command is given: it is the extra `batch`.
"""
