"""Scenarios of Backfill from Python: each is run by the program that this package carries, and its
tables come back as data frames.

Keys are those of a scenario, which ``backfill keys`` lists. A value is text, a number, a boolean, or
a list of these.
"""

import os
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

import pandas

__all__ = ["BackfillError", "jobs", "program", "run"]


class BackfillError(Exception):
    """The program's own sentence on what it cannot run, and what to do."""


def program():
    """The path of the program ``backfill``."""
    name = "backfill.exe" if os.name == "nt" else "backfill"
    beside = Path(sysconfig.get_path("scripts"), name)
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        raise BackfillError("the program backfill is not there: install the package again")
    return found


def run(scenario=None, /, **keys):
    """Runs every run of a scenario: one line for each metric of each run.

    ``scenario`` is the path of a TOML file, whose keys give way to ``keys``. The columns are
    ``system``, ``policy``, ``x``, ``y``, ``rep``, ``metric``, ``value`` and ``unit``; a value is
    absent where its metric is not defined. ``attrs["digest"]`` is the fingerprint of all runs.
    """
    return _table("--parquet", scenario, keys)


def jobs(scenario=None, /, **keys):
    """Runs a scenario of one run: one line for each of its jobs.

    The columns are ``job``, ``outcome``, ``submit_us``, ``start_us``, ``end_us``, ``size``,
    ``bandwidth_kbps``, ``runtime_us``, ``migrations`` and ``placement``; start and end are absent
    where a job never ran. ``attrs["digest"]`` is the fingerprint of the run.
    """
    return _table("--jobs-out", scenario, keys)


def _table(option, scenario, keys):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.parquet")
        command = [program(), "run", option, str(file)]
        command += [] if scenario is None else [os.fspath(scenario)]
        command += [f"{key}={_text(value)}" for key, value in keys.items()]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        if done.returncode != 0:
            raise BackfillError(done.stderr.strip().removeprefix("backfill: "))
        table = pandas.read_parquet(file)
    table.attrs["digest"] = done.stdout.split()[-1]
    return table


def _text(value):
    """A value as it stands on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return str(value)
