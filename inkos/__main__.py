"""`python -m inkos` is the command line; knows nothing else."""

from inkos.hosts.cli.main import run

if __name__ == "__main__":
    run()
