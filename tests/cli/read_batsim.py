"""Reads the tables of a run as Evalys does, and says of how many jobs each resource served one at
a time."""

import pandas


def resources(text):
    """The resources of an interval set such as `1-3 7`."""
    held = set()
    for interval in text.split():
        first, _, last = interval.partition("-")
        held.update(range(int(first), int(last or first) + 1))
    return held


jobs = pandas.read_csv("run.batsim.csv", converters={"job_id": str, "allocated_resources": resources})
run = pandas.read_csv("run.schedule.csv").iloc[0]
ran = jobs[jobs.success == 1].sort_values("starting_time", kind="stable")
free_at = {}
for job in ran.itertuples():
    assert len(job.allocated_resources) == job.requested_number_of_resources, job
    for resource in job.allocated_resources:
        assert resource < run.nb_computing_machines, job
        assert free_at.get(resource, 0) <= job.starting_time, job
        free_at[resource] = job.finish_time
assert jobs[jobs.success == 0].starting_time.isna().all()
assert abs((ran.starting_time - ran.submission_time).mean() - run.mean_waiting_time) < 1e-6
assert abs((ran.execution_time * ran.requested_number_of_resources).sum() - run.time_computing) < 1e-3
print(len(jobs), len(ran), int(run.nb_jobs), int(run.nb_jobs_success))
