"""`python -m inkos` is the command line; knows nothing else."""



def run() -> None:
    """Ctrl-C while the program is still being read ends it like any other stop."""
    import sys

    try:
        from inkos.hosts.cli.main import run as start
    except KeyboardInterrupt:
        sys.exit(130)
    start()


if __name__ == "__main__":
    run()
