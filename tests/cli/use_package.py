"""Runs the cells of the package's README and prints the digest of the first."""

import re
import sys
from pathlib import Path

cells = re.search(r"```python\n(.*?)```", Path(sys.argv[1]).read_text(), re.DOTALL)
notebook = {}
exec(cells[1], notebook)

runs, jobs, backfill = notebook["runs"], notebook["jobs"], notebook["backfill"]
assert Path(backfill.program()).is_relative_to(sys.prefix), backfill.program()
assert runs.groupby(["policy", "x", "rep"]).ngroups == 3 * 3 * 10
assert set(jobs.outcome) <= {"ran", "rejected", "infeasible", "unplaceable"}
assert (jobs.start_us.dropna() >= jobs.submit_us[jobs.start_us.notna()]).all()
try:
    backfill.jobs(policy=["fcfs", "easy"])
except backfill.BackfillError as error:
    assert str(error).startswith("--jobs-out is for a single run"), error
else:
    raise AssertionError("several runs have no one list of jobs")
print(runs.attrs["digest"])
