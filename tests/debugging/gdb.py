# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb.py PROGRAM: GDB knows the name and the line of a kernel that the program has compiled, and stops in it."""
import os
import platform
import re
import shutil
import subprocess
import sys

SKIPPED = 77
program = sys.argv[1]
gdb = shutil.which("gdb")
if not gdb or platform.machine() != "x86_64":
    print("there is no gdb, or none that this test knows how to ask")
    sys.exit(SKIPPED)

commands = ["set confirm off", "set debuginfod enabled off", "break stop_here", "run", "info line *$rdi", "break *$rdi",
            "continue", "backtrace 3", "continue"]
arguments = [gdb, "-nx", "-batch"]
for command in commands:
    arguments += ["-ex", command]
environment = dict(os.environ, SINTER_DEBUGGER="gdb", SINTER_PROFILER="perf", SINTER_CACHE="off", SINTER_THREADS="1")
result = subprocess.run(arguments + [program], env=environment, capture_output=True, text=True, timeout=300)
print(result.stdout, result.stderr)
if re.search(r"ptrace: Operation not permitted|Could not trace the inferior", result.stdout + result.stderr):
    print("this system has no debuggers")
    sys.exit(SKIPPED)

here = r"program\.cpp"
wanted = {
    "the line of the kernel": rf'Line \d+ of "[^"]*{here}" starts at address',
    "a stop in the kernel": rf"Breakpoint 2, (?:0x\w+ in )?map \(\) at [^\n]*{here}:\d+",
    "the kernel on the stack": rf"#0 +(?:0x\w+ in )?map \(\) at [^\n]*{here}:\d+",
    "the end": "the kernel is known",
}
missing = [what for what, pattern in wanted.items() if not re.search(pattern, result.stdout)]
print("missing:", missing)
sys.exit(1 if missing else 0)
