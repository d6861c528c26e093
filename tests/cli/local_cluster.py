"""Makes the parts of the study in this folder as tasks of a HyperQueue server and its worker."""

import os
import sys

from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig

folder = os.getcwd()
with LocalCluster(server_dir=f"{folder}/server", worker_config=WorkerConfig(cores=2)) as cluster:
    client = cluster.client()
    job = Job()
    for part in range(1, int(sys.argv[1]) + 1):
        job.program([f"{folder}/part", str(part)])
    client.wait_for_jobs([client.submit(job)])
