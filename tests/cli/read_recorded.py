"""Compares the policy `recorded` with what pandas makes of the log itself: each job's start, to the
microsecond, and the means over all jobs."""

from pathlib import Path

import pandas

NAME = Path("log").read_text()
FIELDS = ["number", "submit", "wait", "run", "processors"]

log = pandas.read_csv(NAME, sep=r"\s+", comment=";", header=None, usecols=range(5), names=FIELDS)
log = log[(log.run >= 0) & (log.processors > 0)]
jobs = pandas.read_csv("list.csv")
both = log.merge(jobs, left_on="number", right_on="job", validate="one_to_one")
assert len(both) == len(log) == len(jobs), (len(both), len(log), len(jobs))
assert (both.start_us - both.submit_us == 1_000_000 * both.wait).all()
assert (both.end_us - both.start_us == 1_000_000 * both.run).all()

slowdown = ((log.wait + log.run) / log.run.clip(lower=10)).clip(lower=1)
expected = {
    "wait_mean": log.wait.mean(),
    "response_mean": (log.wait + log.run).mean(),
    "bsd_mean": slowdown.mean(),
}
runs = pandas.read_csv("runs.csv").set_index("metric").value
for metric, mean in expected.items():
    assert abs(runs[metric] - mean) <= 1e-9 * mean, (metric, runs[metric], mean)
print(len(log))
