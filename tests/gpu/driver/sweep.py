#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of a Catch2 program one by one, each in a process of its own: sweep.py [--limit SECONDS] [--until SECONDS]
[--state FILE] PROGRAM [filter]

A case that breaks a rule of the driver ends its process, and only its own. A case that takes more processor time than the
limit counts as not done. With --state, results are appended to a file, and cases that are there already, done or not within the same limit,
are not run again: a sweep can be interrupted. --until ends it after so many seconds. Exits 1 if a case fails.
"""
import argparse
import json
import pathlib
import resource
import signal
import subprocess
import sys
import time

FINE, FAILED, LATE = "fine", "failed", "late"


def cases_of(program, chosen):
    """The names of the cases, none of which is hidden."""
    listed = subprocess.run([program, "--list-test-names-only", *chosen], capture_output=True, text=True)
    return listed.stdout.splitlines()


def escaped(name):
    return "".join("\\" + c if c in "\\,[" else c for c in name)


def used():
    """Processor time of all cases so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, name, limit):
    def begin():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    before = used()
    done = subprocess.run([program, escaped(name)], capture_output=True, text=True, errors="replace", preexec_fn=begin)
    seconds = used() - before
    if done.returncode == -signal.SIGXCPU:
        return LATE, seconds, ""
    if done.returncode == 0 and "No test" not in done.stdout:
        return FINE, seconds, ""
    return FAILED, seconds, (done.stdout + done.stderr)[-3000:]


def earlier(state, limit):
    """Results that need not be found again."""
    known = {}
    if state and state.exists():
        for line in state.read_text().splitlines():
            entry = json.loads(line)
            if entry["result"] != LATE or entry["limit"] >= limit:
                known[entry["case"]] = entry["result"]
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("--until", type=float, default=float("inf"))
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("filter", nargs="*")
    options = parser.parse_args()
    end = time.monotonic() + options.until
    names = cases_of(options.program, options.filter)
    results = {name: r for name, r in earlier(options.state, options.limit).items() if name in names}
    for name in names:
        if name in results or time.monotonic() > end:
            continue
        result, seconds, text = run(options.program, name, options.limit)
        results[name] = result
        if result != FINE:
            print(f"{result}: {name}\n{text}", flush=True)
        if options.state:
            with options.state.open("a") as file:
                entry = {"case": name, "result": result, "seconds": round(seconds, 2), "limit": options.limit, "text": text}
                file.write(json.dumps(entry) + "\n")
    count = {kind: sum(r == kind for r in results.values()) for kind in (FINE, FAILED, LATE)}
    print(f"of {len(names)} cases {count[FINE]} are fine, {count[FAILED]} failed, {count[LATE]} took too long, "
          f"{len(names) - len(results)} were not run")
    return 1 if count[FAILED] or not names else 0


if __name__ == "__main__":
    sys.exit(main())
