"""FCFS and EASY on alike nodes by counts alone, in plain Python: what `textbook.rs` compares with.

Reads lines of submit, size, runtime and estimate, sorted by submit, in any unit of time; the policy
and the number of nodes are the arguments. Writes the seconds that scheduling took and then the start
of each job, -1 where it is too large.

Jobs are tried by arrival. Under FCFS all wait for the first that does not fit. Under EASY that one
gets a reservation for when enough nodes are free by estimates; later ones start where they end by
then, or fit into what it leaves over then.
"""

import sys
import time
from bisect import bisect_left, insort
from heapq import heappop, heappush


def schedule(jobs, nodes, backfills):
    starts = [-1] * len(jobs)
    free = nodes
    ends = []  # A heap of (end, job).
    running = []  # (end by estimate, job), ascending.
    queue = []
    arriving = 0
    while ends or arriving < len(jobs):
        now = ends[0][0] if ends else jobs[arriving][0]
        if arriving < len(jobs) and jobs[arriving][0] < now:
            now = jobs[arriving][0]
        while ends and ends[0][0] == now:
            _, job = heappop(ends)
            del running[bisect_left(running, (starts[job] + jobs[job][3], job))]
            free += jobs[job][1]
        while arriving < len(jobs) and jobs[arriving][0] == now:
            if jobs[arriving][1] <= nodes:
                queue.append(arriving)
            arriving += 1

        started = 0
        for job in queue:
            _, size, runtime, estimate = jobs[job]
            if size > free:
                break
            starts[job] = now
            free -= size
            heappush(ends, (now + runtime, job))
            insort(running, (now + estimate, job))
            started += 1
        if started:
            del queue[:started]
        if not backfills or len(queue) < 2 or not free:
            continue

        spare = free - jobs[queue[0]][1]
        shadow = now
        for end, job in running:
            # Who should have ended by now is expected to end now.
            if end > shadow:
                if spare >= 0:
                    break
                shadow = end
            spare += jobs[job][1]
        waiting = queue[:1]
        for place in range(1, len(queue)):
            job = queue[place]
            _, size, runtime, estimate = jobs[job]
            if size <= free and (now + estimate <= shadow or size <= spare):
                starts[job] = now
                free -= size
                if now + estimate > shadow:
                    spare -= size
                heappush(ends, (now + runtime, job))
                insort(running, (now + estimate, job))
                if not free:
                    waiting += queue[place + 1 :]
                    break
            else:
                waiting.append(job)
        queue = waiting
    return starts


def main():
    jobs = [tuple(map(int, line.split())) for line in sys.stdin]
    begin = time.perf_counter()
    policy, nodes = sys.argv[1:]
    starts = schedule(jobs, int(nodes), {"fcfs": False, "easy": True}[policy])
    print(time.perf_counter() - begin)
    print("\n".join(map(str, starts)))


main()
