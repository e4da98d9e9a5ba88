# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python modules from C++ source, built with the compiler of the machine and kept on disk."""

import hashlib
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig

PACKAGE = pathlib.Path(__file__).resolve().parent
MODULE = re.compile(r"^\s*(?:SINTER_PYTHON_MODULE|NB_MODULE)\(\s*(\w+)", re.MULTILINE)


def _installed():
    """The folder with include/ and lib/ of Sinter: of the wheel, or what PYTHON_SINTER_PREFIX names, an install or a build
    tree."""
    return pathlib.Path(os.environ.get("PYTHON_SINTER_PREFIX", PACKAGE))


def include_dirs():
    """Where C++ compilers find Sinter's headers, with sinter/python.hpp."""
    checkout = PACKAGE.parent
    candidates = [_installed() / "include", checkout / "include", checkout.parent / "include"]
    return [str(folder) for folder in candidates if (folder / "sinter").is_dir()]


def cmake_dir():
    """For CMake: find_package(sinter PATHS "...")."""
    return str(_installed() / "lib" / "cmake" / "sinter")


def compile(source, *, flags=(), compiler=None):
    """Builds and imports the Python module that a C++ file defines with SINTER_PYTHON_MODULE(name, functions...).

    source: the path of the file, or its text. flags: further ones for the compiler, which is `compiler`, $CXX or c++ and has
    to know C++20. Needs nanobind. What is built is kept in ~/.cache/sinter (or $XDG_CACHE_HOME), by the text, the flags and
    the versions: the next time it is only loaded. RuntimeError with the compiler's messages if it refuses.
    """
    is_text = "\n" in str(source)
    text = source if is_text else pathlib.Path(source).read_text()
    found = MODULE.search(text)
    if not found:
        raise ValueError("sinter.compile: the source has no line SINTER_PYTHON_MODULE(name, functions...)")
    text = f'#line 1 "{"source.cpp" if is_text else source}"\n{text}'
    command = shlex.split(compiler or os.environ.get("CXX", "c++"))
    command += ["-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", *flags]
    if not is_text:  # headers beside the file
        command += ["-I", str(pathlib.Path(source).resolve().parent)]
    folder = _cache() / _digest(text, *command)
    module = folder / (found[1] + sysconfig.get_config_var("EXT_SUFFIX"))
    if not module.exists():
        _build(text, command, module)
    return _load(found[1], module)


def _cache():
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(home) / "sinter" / "python"


def _digest(*parts):
    import nanobind

    library = _library().stat()
    every = (*parts, nanobind.__version__, sys.version, str(_library()), str(library.st_mtime_ns), str(library.st_size))
    return hashlib.sha256("\0".join(every).encode()).hexdigest()[:32]


def _library():
    for folder in ("lib", "lib64", "lib/" + (sysconfig.get_config_var("MULTIARCH") or ""), "."):
        library = _installed() / folder / "libsinter.so"
        if library.exists():
            return library
    raise FileNotFoundError(f"sinter: no libsinter.so in {_installed()}: install the wheel, or set PYTHON_SINTER_PREFIX")


def _build(text, command, module):
    """The module's file appears when it is complete, whoever else builds the same."""
    module.parent.mkdir(parents=True, exist_ok=True)
    source = module.with_name(f"{os.getpid()}.cpp")
    made = module.with_name(f"{os.getpid()}.so")
    source.write_text(text)
    library = _library().resolve()
    includes = [sysconfig.get_path("include"), *include_dirs(), *_nanobind_includes()]
    try:
        _execute([*command, *("-I" + folder for folder in includes), "-shared", "-o", str(made), str(source),
                  str(_nanobind_object(command[:1])), str(library), f"-Wl,-rpath,{library.parent}"])
        made.replace(module)
    finally:
        source.unlink(missing_ok=True)
        made.unlink(missing_ok=True)


def _nanobind_includes():
    import nanobind

    root = pathlib.Path(nanobind.__file__).parent
    return [str(root / "include"), str(root / "ext" / "robin_map" / "include")]


def _nanobind_object(compiler):
    """nanobind itself, compiled once for all modules."""
    import nanobind

    root = pathlib.Path(nanobind.__file__).parent
    target = _cache() / ("nanobind-" + _digest(*compiler) + ".o")
    if not target.exists():
        made = target.with_suffix(f".{os.getpid()}.o")
        target.parent.mkdir(parents=True, exist_ok=True)
        _execute([*compiler, "-std=c++17", "-O2", "-DNDEBUG", "-DNB_COMPACT_ASSERTIONS", "-fPIC", "-fvisibility=hidden",
                  "-fno-strict-aliasing", "-I" + sysconfig.get_path("include"),
                  *("-I" + folder for folder in _nanobind_includes()), "-c", "-o", str(made),
                  str(root / "src" / "nb_combined.cpp")])
        made.replace(target)
    return target


def _execute(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"sinter.compile: {shlex.join(command)}\n{done.stderr}")


def _load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
