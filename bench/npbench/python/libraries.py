# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy, Numba, JAX and Pythran, as far as they are installed, and how each of them gets a kernel of this folder.

A kernel is a module: with_numpy, with_jax, and loops, which Numba compiles when it is first called and Pythran ahead of time.
Both get the same text, `loops` and the functions it calls: parallel loops are prange for Numba, range behind a comment of
OpenMP for Pythran. Arguments are named as the files of arguments that sinter_npbench leaves.
"""
import ast
import importlib
import inspect
import pathlib
import subprocess
import sys
import types
import warnings

import numpy as np

try:
    import numba
    from numba import prange
except ImportError:
    numba, prange = None, range
try:
    import jax
    from jax import lax
    from jax import numpy as jnp
    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = jnp = lax = None

PYTHRAN_FLAGS = ["-O3", "-march=native", "-fopenmp", "-w"]


def loops_text(module):
    """The functions that `loops` needs, with the comments before them."""
    lines = pathlib.Path(module.__file__).read_text().splitlines()
    functions = {f.name: f for f in ast.parse("\n".join(lines)).body if isinstance(f, ast.FunctionDef)}
    needed, open_names = [], ["loops"]
    while open_names:
        name = open_names.pop()
        if name in functions and name not in needed:
            needed.append(name)
            open_names += [node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)]
    text = ["import numpy as np"]
    for name, function in functions.items():
        first = function.lineno - 1
        while lines[first - 1].startswith("#"):
            first -= 1
        if name in needed:
            text += ["", "", *lines[first:function.end_lineno]]
    return "\n".join(text) + "\n"


def of_numba(module, exact):
    compiled = types.ModuleType(module.__name__)
    compiled.prange = prange
    exec(loops_text(module), compiled.__dict__)
    for name, function in list(vars(compiled).items()):
        if inspect.isfunction(function) and function is not prange:
            parallel = "prange" in function.__code__.co_names
            setattr(compiled, name, numba.njit(function, parallel=parallel, fastmath=not exact, error_model="numpy"))
    return compiled.loops


def of_jax(module, arguments):
    static = [name for name, value in arguments.items() if isinstance(value, int)]
    return jax.jit(module.with_jax, static_argnames=static)


def of_pythran(module, exact, folder):
    """Compiled in `folder` where that was not done yet, or None where Pythran is not installed or cannot."""
    if importlib.util.find_spec("pythran") is None:
        return None
    name = f"{module.__name__}_pythran"
    source, text = folder / f"{name}.py", loops_text(module).replace("prange", "range")
    flags = PYTHRAN_FLAGS + (["-ffp-contract=off"] if exact else ["-ffast-math"])
    text = f"# {' '.join(flags)}\n{text}"
    built = list(folder.glob(f"{name}.*.so"))
    if not built or source.read_text() != text:
        folder.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
        command = [sys.executable, "-m", "pythran.run", *flags, str(source), "-o", str(folder / f"{name}{suffix}")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: {done.stdout}{done.stderr}", file=sys.stderr)
            source.unlink()
            return None
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(name).loops


def read_arguments(folder):
    """Arrays, and numbers where a file holds one element."""
    arguments = {file.stem: np.load(file) for file in sorted(folder.glob("*.npy")) if file.stem != "expected"}
    return {name: a.item() if a.size == 1 else a for name, a in arguments.items()}


def calls(kernel, folder, work):
    """What each library calls for a kernel, by name. Arguments lie in `folder`; Pythran's modules go into `work`."""
    warnings.simplefilter("ignore")
    module, arguments = importlib.import_module(kernel), read_arguments(folder)
    exact = getattr(module, "EXACT", False)
    in_order = [arguments[name] for name in inspect.signature(module.loops).parameters]
    found = {"numpy": lambda: module.with_numpy(**arguments)}
    if numba:
        by_numba = of_numba(module, exact)
        found["numba"] = lambda: by_numba(*in_order)
    if jax:
        by_jax = of_jax(module, arguments)
        on_device = {name: jnp.asarray(a) if isinstance(a, np.ndarray) else a for name, a in arguments.items()}
        found["jax"] = lambda: jax.block_until_ready(by_jax(**on_device))
    by_pythran = of_pythran(module, exact, work)
    if by_pythran:
        found["pythran"] = lambda: by_pythran(*in_order)
    return found


def difference(results, folder):
    """The largest difference to plain C++'s results, relative to their largest element."""
    expected = np.load(folder / "expected.npy")
    results = results if isinstance(results, tuple) else (results,)
    flat = np.concatenate([np.asarray(r, np.float64).ravel() for r in results])
    if flat.shape != expected.shape or (np.isnan(flat) != np.isnan(expected)).any():
        return np.inf
    scale = np.abs(expected[np.isfinite(expected)]).max(initial=1e-300)
    with np.errstate(invalid="ignore"):
        return np.nanmax(np.where(flat == expected, 0, np.abs(flat - expected)), initial=0) / scale
