#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts, without a card, how fast typical kernels of tests/gpu/kernels.cpp are on an H100: gpu_speed.py GPU_KERNELS

  gpu_speed.py [--table FILE --llvm RELEASE] GPU_KERNELS [kernel ...]

Each kernel's PTX is assembled and its machine code read. Bandwidth follows from Little's law: a multiprocessor reaches its
share of the card's bandwidth if the bytes that it is waiting for are at least that bandwidth times the latency of memory. The
share of FP32 peak follows from the instructions of the hot loop, one of which each of the four schedulers issues per cycle.
--table: the rows must be as in FILE where that was written with the same tools (SINTER_BLESS=1 writes it). Exits 77 where
ptxas or nvdisasm is missing (pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm).

What is assumed of the card, none of which has been measured here:
"""
import argparse
import dataclasses
import importlib.util
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURE = "sm_90"
ASSUMED = """\
H100 SXM: 132 multiprocessors, 3350 bytes/ns from memory [NVIDIA, H100 data sheet]
per multiprocessor: 65536 registers, 2048 threads, 32 blocks, 228 KiB shared memory, 1 KiB of it per block taken by the
  system; registers are given to warps 256 at a time [CUDA C++ Programming Guide, compute capability 9.0]
latency: 600 ns under load, about twice the 479 cycles of an idle card [Luo et al., Benchmarking and Dissecting the Nvidia
  Hopper GPU Architecture via Microbenchmarking, 2024; that it doubles is a guess]
93 % of the bandwidth is the most that any kernel reaches [guess, from published runs of STREAM]
tensor cores: 4096 flops on halves, 2048 of TF32, per multiprocessor and cycle [data sheet: 989 and 494 TFLOPS at 1830 MHz],
  of which warps that multiply on their own reach 62 % [Luo et al.]"""
SMS, BANDWIDTH, LATENCY, REACHED = 132, 3350.0, 600.0, 0.93
# Cycles in which a scheduler's tensor cores multiply 16 by 16 halves with 16 by 8, or half as many numbers of TF32.
TENSOR_CYCLES, TENSOR_REACHED = 2 * 16 * 8 * 16 / 1024, 0.62
REGISTERS, THREADS, BLOCKS, SHARED, SHARED_OF_SYSTEM = 65536, 2048, 32, 228 * 1024, 1024
BLOCK_THREADS, BLOCKS_EACH = 256, 16
NEEDED = BANDWIDTH / SMS * LATENCY  # bytes in flight


@dataclasses.dataclass
class Kind:
    """What is known of a kernel beside its code."""
    goal: float | None  # of bandwidth, or of FP32 peak
    entry: str = "whole"
    work: str = "bytes"  # or "flops", or "tensor": of tensor cores
    trips: int = 1  # accesses to memory that wait for each other, per block and unit of its work, the loads among them
    units: int = BLOCKS_EACH * SMS  # blocks, or chunks, of a large call


# A scan's block draws a ticket, loads, and looks back. The units of a fold are its chunks of 2^28 elements: wanted_chunks in
# lib/schedule/card/tuning.hpp. A block of a softmax loads its row once per loop; the later ones find it in a cache.
CHUNKS = 1 << 16
KINDS = {
    "saxpy": Kind(0.92),
    "exponential": Kind(0.92),
    "dot": Kind(0.90, "partial", units=1024),
    "sum": Kind(0.90, "partial", units=1024),
    "maximum": Kind(0.90, "partial", units=1024),
    "prefix_sums": Kind(0.85, "scan", trips=3, units=CHUNKS),
    "filter": Kind(0.75, "scan", trips=3, units=CHUNKS),
    "row_softmax": Kind(0.85),
    "transposition": Kind(0.80),
    # Products that round before they are added, as the interpreter's do, take two instructions: half of the peak at most.
    "matrix_product": Kind(0.40, work="flops"),
    "wide_matrix_product": Kind(0.45, work="flops"),
    "contracted_product": Kind(0.60, work="flops"),
    "product_of_halves": Kind(None, work="tensor"),
    "wide_product_of_halves": Kind(None, work="tensor"),
    "product_of_tf32": Kind(None, work="tensor"),
    "wide_product_of_tf32": Kind(None, work="tensor"),
    "broad_product_of_halves": Kind(None, work="tensor"),
    "broad_product_of_tf32": Kind(None, work="tensor"),
    "sort": Kind(None, "move", trips=3, units=CHUNKS),
}


def find(tool):
    if path := shutil.which(tool) or shutil.which(f"/usr/local/cuda/bin/{tool}"):
        return path
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations if spec else []:
        for path in pathlib.Path(folder).glob(f"*/bin/{tool}"):
            return str(path)
    return None


@dataclasses.dataclass
class Instruction:
    name: str  # with modifiers
    operands: list
    guarded: bool  # by a predicate

    def width(self):
        """Bytes of an access."""
        found = re.search(r"\.(U8|S8|U16|S16|64|128)\b", self.name)
        return {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}[found.group(1)] if found else 4

    def results(self):
        """Registers written by a load."""
        return registers(self.operands[0], self.width())

    def reads(self):
        used = set()
        for operand in self.operands if self.name.startswith(("ST", "RED", "BRA", "EXIT")) else self.operands[1:]:
            used |= registers(operand, 16 if self.name.endswith("128") else 8 if "64" in self.name else 4)
        return used


def registers(operand, size):
    found = set()
    for number in re.findall(r"\bR(\d+)\b", operand):
        found |= set(range(int(number), int(number) + max(1, size // 4)))
    return found


def blocks_of(text):
    """{function: [(label, [Instruction])]} of a disassembly; a block ends where a branch leads to, or after a branch."""
    functions, block = {}, None
    targets = set(re.findall(r"BRA\S*\s.*?(\.L_x_\d+)", text))
    for line in text.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\S+?),", line):
            functions[section.group(1)] = [("", [])]
            block = functions[section.group(1)]
        elif block is not None and (label := re.match(r"(\.L_x_\d+):", line)):
            if label.group(1) in targets:
                block.append((label.group(1), []))
        elif block is not None and (found := re.match(r"\s*/\*\w+\*/\s+(@!?U?P\w+\s+)?(\S+?)(?:\s+(.*?))?\s*;", line)):
            guard, name, operands = found.groups()
            block[-1][1].append(Instruction(name, (operands or "").split(", "), guard is not None))
            if name.startswith(("BRA", "EXIT")):
                block.append(("", []))
    return functions


def ends_path(inst, labels, place):
    """True after a branch that is always taken, and at the end of a loop."""
    if not inst.name.startswith(("BRA", "EXIT", "RET")):
        return False
    target = re.search(r"\.L_x_\d+", " ".join(inst.operands))
    return not inst.guarded or (target is not None and labels.get(target.group(), place + 1) <= place)


def bytes_at_once(blocks):
    """Bytes that a thread loads from global memory before it uses any of them: the most of any place in a path that takes no
    branch."""
    labels = {label: place for place, (label, _) in enumerate(blocks) if label}
    best, waiting, outstanding = 0, 0, set()
    for place, (_, block) in enumerate(blocks):
        for inst in block:
            if ends_path(inst, labels, place) or inst.reads() & outstanding:
                waiting, outstanding = 0, set()
            if inst.name.startswith("LDG"):
                waiting += inst.width()
                outstanding |= set() if inst.name.startswith("LDGSTS") else inst.results()
                best = max(best, waiting)
    return best


def flops(block):
    return 2 * count(block, "FFMA") + count(block, "FADD", "FMUL")


def count(block, *names):
    """Instructions of these names, but additions to 0, which are moves."""
    return sum(inst.name.split(".")[0] in names and not any(re.fullmatch("-?RZ", o) for o in inst.operands) for inst in block)


def ceiling(block):
    """What a block would reach that issues nothing but its arithmetic."""
    arithmetic = count(block, "FFMA", "FADD", "FMUL")
    return flops(block) / (2 * arithmetic) if arithmetic else 0.0


def share_of_peak(blocks):
    """Of the block with the most arithmetic: what it computes, out of what it could if all it issued were fused
    multiplications and additions; and how much that would be without its other instructions. A wavefront of shared memory takes as long as four instructions take to be issued; half of
    what a wide load reads is the same in several threads."""
    block = max((b for _, b in blocks), key=flops)
    return flops(block) / (2 * cycles(block)), ceiling(block)


def cycles(block):
    """That a scheduler takes to issue a warp's instructions, or all four schedulers share the memory of blocks."""
    wavefronts = sum(max(1, inst.width() // 8) for inst in block if inst.name.startswith(("LDS", "STS")))
    return max(len(block), 4 * wavefronts)


def share_of_tensor_peak(blocks):
    block = max((b for _, b in blocks), key=lambda b: count(b, "HMMA"))
    share = count(block, "HMMA") * TENSOR_CYCLES / cycles(block)
    return min(share, TENSOR_REACHED), TENSOR_REACHED


def resident(registers_each, shared):
    """Blocks of a kernel that a multiprocessor has room for."""
    warps = BLOCK_THREADS // 32
    per_warp = -(-registers_each * 32 // 256) * 256
    by_registers = REGISTERS // (per_warp * warps)
    by_shared = SHARED // (shared + SHARED_OF_SYSTEM)
    return min(by_registers, by_shared, THREADS // BLOCK_THREADS, BLOCKS)


def share_of_bandwidth(in_flight, kind, slots):
    """Whole waves of blocks, and the last one, in which fewer are in flight."""
    rate = lambda occupied: min(1.0, occupied * in_flight / kind.trips / NEEDED)
    left, time = kind.units, 0.0
    while left > 0:
        wave = min(left, slots)
        if wave == slots:
            wave = left // slots * slots
            time += wave / rate(1.0)
        else:
            time += wave / rate(wave / slots)
        left -= wave
    return REACHED * kind.units / time if in_flight else 0.0


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options)


def examine(ptxas, nvdisasm, program, kernel, folder):
    """One row per entry point of interest."""
    environment = dict(os.environ, SINTER_TARGET="gpu_emulated", SINTER_CACHE="off", SINTER_PTX_DIR=str(folder))
    run(program, kernel, env=environment)
    kind, rows = KINDS[kernel], []
    for path in sorted(folder.glob("*.ptx")):
        cubin = path.with_suffix(".cubin")
        report = run(ptxas, f"-arch={ARCHITECTURE}", "-v", str(path), "-o", str(cubin)).stderr
        used = {m.group(1): (int(m.group(2)), int(m.group(3) or 0)) for m in re.finditer(
            r"entry function '(\w+)'.*?Used (\d+) registers(?:[^\n]*?, (\d+) bytes smem)?", report, re.S)}
        functions = blocks_of(run(nvdisasm, "-c", str(cubin)).stdout)
        if kind.entry in used:
            rows.append(row(kernel, kind, *used[kind.entry], functions[kind.entry]))
    return [max(rows, key=lambda r: r[0])[1]] if rows else [f"{kernel:18} no entry {kind.entry}"]


def row(kernel, kind, registers_each, shared, blocks):
    fits = resident(registers_each, shared)
    each = bytes_at_once(blocks)
    in_flight = each * BLOCK_THREADS * fits
    if kind.work == "flops":
        share, most = share_of_peak(blocks)
    elif kind.work == "tensor":
        share, most = share_of_tensor_peak(blocks)
    else:
        share, most = share_of_bandwidth(in_flight, kind, fits * SMS), REACHED
    goal = f"{100 * kind.goal:4.0f} %" if kind.goal else "     -"
    text = (f"{kernel:18} {kind.entry:8} {registers_each:4} {shared:6} {fits * BLOCK_THREADS * 100 // THREADS:4} % {each:5} "
            f"{in_flight / 1024:6.0f} {100 * share:5.0f} % {100 * most:4.0f} % {goal} {kind.work}")
    return share, text


def compare(file, header, text):
    if os.environ.get("SINTER_BLESS"):
        file.write_text(text)
    expected = file.read_text()
    if expected.splitlines()[0] != header:
        print(f"{file} was written with {expected.splitlines()[0][2:]}, and is not compared with what {header[2:]} makes")
    elif expected != text:
        print(f"speeds are not as in {file} (SINTER_BLESS=1 writes it)")
        return 1
    return 0


def version(tool):
    return re.search(r"V(\d\S+)", run(tool, "--version").stdout).group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__ + ASSUMED, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--llvm", default="")
    parser.add_argument("program")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    ptxas, nvdisasm = find("ptxas"), find("nvdisasm")
    if not ptxas or not nvdisasm:
        print("no ptxas or no nvdisasm here: skipped")
        return 77
    header = f"# LLVM {options.llvm}, ptxas {version(ptxas)}"
    lines = [header, *("# " + line for line in ASSUMED.splitlines()), f"# so {math.ceil(NEEDED / 1024)} KiB have to be in flight",
             "# at once: bytes that a thread loads before it waits; KiB: of all threads of a multiprocessor",
             "# most: what could be reached if nothing but the arithmetic were issued, or the memory were always busy",
             f"# {'kernel':16} {'entry':8} regs shared threads at once  KiB  share   most   goal of"]
    for kernel in options.kernels or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            lines += examine(ptxas, nvdisasm, options.program, kernel, pathlib.Path(folder))
    text = "\n".join(lines) + "\n"
    print(text, end="")
    return compare(options.table, header, text) if options.table and not options.kernels else 0


if __name__ == "__main__":
    sys.exit(main())
