#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weight.py INCLUDE_DIR -- COMPILER FLAGS...

What the umbrella header and one map cost a user's compilation: processor time beyond that of an empty file, least of RUNS
(other work on the machine only ever adds).
The goal is 0.5 s where the probe, four standard headers, takes REFERENCE seconds; on a slower or busier machine it scales.
Measured time wavers, so only what is beyond the goal by ALARM fails.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 0.5
REFERENCE = 0.55
ALARM = 1.3
RUNS = 7

command = sys.argv[3:]
probe = "#include <memory>\n#include <string>\n#include <tuple>\n#include <vector>\n"
program = """#include <sinter/sinter.hpp>
int main() {
    sinter::Array<float> x = sinter::from(std::vector<float>{1, 2, 3});
    return sinter::run(sinter::map([](auto v) { return v + 1; }, x)).size() == 3 ? 0 : 1;
}
"""


def seconds(source):
    before = os.times()
    subprocess.run(command + ["-fsyntax-only", str(source)], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


with tempfile.TemporaryDirectory() as folder:
    sources = {}
    for name, text in (("empty", "int main() {}\n"), ("probe", probe + "int main() {}\n"), ("program", program)):
        sources[name] = pathlib.Path(folder) / f"{name}.cpp"
        sources[name].write_text(text)
    samples = {name: [] for name in sources}
    for _ in range(RUNS):
        for name, source in sources.items():
            samples[name].append(seconds(source))
    cost = {name: min(values) for name, values in samples.items()}

weight = cost["program"] - cost["empty"]
speed = max(1.0, (cost["probe"] - cost["empty"]) / REFERENCE)
print(f"empty {cost['empty']:.2f} s, probe {cost['probe']:.2f} s, with sinter {cost['program']:.2f} s; "
      f"sinter costs {weight:.2f} s, goal {LIMIT * speed:.2f} s")
sys.exit(0 if weight <= ALARM * LIMIT * speed else 1)
