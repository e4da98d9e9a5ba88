# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import builtins
import gc
import importlib.util
import pathlib
import threading
import weakref

import numpy
import pytest

import sinter

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def sample():
    return sinter.compile(HERE / "sample.cpp")


def test_a_compiled_function_of_an_array_and_a_number(sample):
    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    y = sample.step(x, 0.5)
    assert y.shape == (2, 3) and y.ndim == 2 and y.size == 6 and y.dtype == "float32" and len(y) == 2
    assert repr(y) == "sinter.Array(float32, shape (2, 3))"
    numpy.testing.assert_array_equal(y, x + numpy.float32(0.5) * x * x)


def test_several_results_and_numbers(sample):
    total, centred, count = sample.statistics(numpy.array([1.0, 2.0, 6.0]))
    assert isinstance(total, float) and total == 9 and isinstance(count, int) and count == 3
    numpy.testing.assert_array_equal(centred, [-2, -1, 3])


def test_overloads_are_chosen_by_elements(sample):
    assert sample.twice(numpy.ones(2, numpy.float32)).dtype == "float32"
    assert sample.twice(numpy.ones(2, numpy.int32)).dtype == "int32"
    with pytest.raises(TypeError, match="none of the 2 functions(.|\n)*float64(.|\n)*float64"):
        sample.twice(numpy.ones(2))
    assert "twice(Array[float32, 1])" in sample.twice.__doc__ and "twice(Array[int32, 1])" in sample.twice.__doc__


def test_elements_of_all_kinds(sample):
    z = numpy.array([1 + 2j, 3j])
    numpy.testing.assert_array_equal(sample.conjugate(z), z.conj())
    mask = numpy.array([True, False])
    numpy.testing.assert_array_equal(sample.invert(mask), ~mask)
    h = numpy.array([1.5, -2], numpy.float16)
    assert sample.widen(h).dtype == "float16"
    numpy.testing.assert_array_equal(sample.widen(h), h * h)


@pytest.mark.parametrize("view", [
    lambda a: a[:, ::2], lambda a: a.T, lambda a: a[::-1], lambda a: a[:0], lambda a: numpy.broadcast_to(a[:1], (3, 4)),
    lambda a: a.reshape(-1).view(numpy.uint8)[1:1 + 8].copy().view(numpy.float32).reshape(1, 2),
])
def test_views_of_any_strides(sample, view):
    x = view(numpy.arange(12, dtype=numpy.float32).reshape(3, 4))
    numpy.testing.assert_array_equal(sample.step(x, 1), x + x * x)


def test_unaligned_and_read_only_arrays(sample):
    unaligned = numpy.zeros(17, numpy.uint8)[1:].view(numpy.float32)
    unaligned[:] = [1, 2, 3, 4]
    numpy.testing.assert_array_equal(sample.twice(unaligned), [2, 4, 6, 8])
    unaligned.flags.writeable = False
    numpy.testing.assert_array_equal(sample.twice(unaligned), [2, 4, 6, 8])


def test_results_are_read_without_a_copy(sample):
    y = sample.twice(numpy.ones(1000, numpy.float32))
    as_array, from_dlpack = numpy.asarray(y), numpy.from_dlpack(y)
    assert as_array.__array_interface__["data"][0] == from_dlpack.__array_interface__["data"][0]
    assert as_array.__array_interface__["data"] == y.__array_interface__["data"]  # and read only
    assert not as_array.flags.writeable and not from_dlpack.flags.writeable
    assert y.__dlpack_device__() == (1, 0)
    numpy.testing.assert_array_equal(sample.twice(y), 4 * numpy.ones(1000))  # and passed on


def test_results_live_as_long_as_their_readers(sample):
    y = sample.twice(numpy.arange(1000, dtype=numpy.float32))
    readers = [numpy.asarray(y), numpy.from_dlpack(y), y.__dlpack__(), y.__dlpack__(max_version=(1, 0))]
    del y
    gc.collect()
    others = [sample.twice(numpy.zeros(1000, numpy.float32)) for _ in range(20)]  # would reuse the memory
    for reader in readers[:2]:
        numpy.testing.assert_array_equal(reader, 2 * numpy.arange(1000))
    del readers[:2], others
    numpy.testing.assert_array_equal(sample.twice(numpy.ones(3, numpy.float32)), [2, 2, 2])


def test_arguments_live_as_long_as_cpp_needs_them(sample):
    x = numpy.arange(1000, dtype=numpy.float32)
    alive = weakref.ref(x)
    sample.keep(x)
    del x
    gc.collect()
    assert alive() is not None
    numpy.testing.assert_array_equal(sample.give(), numpy.arange(1000))
    sample.forget()
    gc.collect()
    assert alive() is None


def test_a_compiled_call_keeps_nothing(sample):
    x = numpy.ones(1000, numpy.float32)
    alive = weakref.ref(x)
    y = sample.itself(x)
    del x
    gc.collect()
    assert alive() is None
    numpy.testing.assert_array_equal(y, numpy.ones(1000))


def test_results_do_not_change_with_the_arguments(sample):
    x = numpy.ones(8, numpy.float32)
    same, half, written = sample.itself(x), sample.first_half(x), sample.overwrite(x)
    numpy.testing.assert_array_equal(x, numpy.ones(8))  # written to a copy
    x[:] = 5
    numpy.testing.assert_array_equal(same, numpy.ones(8))
    numpy.testing.assert_array_equal(half, numpy.ones(4))
    numpy.testing.assert_array_equal(written, [7, 1, 1, 1, 1, 1, 1, 1])


def test_what_is_passed_wrongly(sample):
    x = numpy.ones((2, 2), numpy.float32)
    with pytest.raises(sinter.UsageError, match=r"step: argument 1 is an array of float64; expected: Array\[float32, 2\]"):
        sample.step(x.astype(float), 1)
    with pytest.raises(TypeError, match="argument 1 is a list"):
        sample.step([[1.0]], 1)
    with pytest.raises(sinter.ShapeError, match="argument 1 is an array of rank 1"):
        sample.step(x[0], 1)
    with pytest.raises(TypeError, match=r"argument 2 is 'fast' \(str\); expected: float32"):
        sample.step(x, "fast")
    with pytest.raises(TypeError, match=r"step\(Array\[float32, 2\], float32\) takes 2 arguments, 1 are given"):
        sample.step(x)
    with pytest.raises(TypeError, match=">f4|list|ndarray|float32"):
        sample.step(x.astype(">f4"), 1)
    with pytest.raises(TypeError, match="argument 1 is a ndarray"):
        sample.step(numpy.array(["a"]), 1)


def test_numbers_are_checked(sample):
    assert sample.small(255) == 255 and sample.small(numpy.int64(3)) == 3
    for number in (256, -1, 2.5, None):
        with pytest.raises(TypeError, match="expected: uint8"):
            sample.small(number)
    assert sample.scaled(2, 1.5, True, 0) == 3 and sample.scaled(2, 1.5, False, 4j) == 4
    numpy.testing.assert_array_equal(sample.counted(3), [0, 1, 2])


@pytest.mark.parametrize("function, arguments, kind, python_kind, text", [
    ("add", ([1, 2], [1]), sinter.ShapeError, ValueError, "2"),
    ("wrong", ([1, 2],), sinter.ShapeError, ValueError, "reshape"),
    ("divide", ([1], [0]), sinter.DomainError, ArithmeticError, "divi"),
    ("positive", ([1, -1],), sinter.ExpectationError, AssertionError, "numbers are positive"),
])
def test_errors_keep_their_kind_and_text(sample, function, arguments, kind, python_kind, text):
    with pytest.raises(kind, match=text) as caught:
        getattr(sample, function)(*(numpy.array(a, numpy.int32) for a in arguments))
    assert isinstance(caught.value, python_kind) and isinstance(caught.value, sinter.Error)
    assert "sample.cpp:" in str(caught.value)


def test_an_index_outside(sample):
    with pytest.raises(builtins.IndexError) as caught:
        sample.pick(numpy.array([0, 9]), numpy.array([1, 2], numpy.int32))
    assert type(caught.value) is sinter.IndexError
    numpy.testing.assert_array_equal(sample.pick(numpy.array([1]), numpy.array([1, 2], numpy.int32)), [2])


def test_python_runs_while_a_function_does(sample):
    met = []
    threads = [threading.Thread(target=lambda: met.append(sample.meet())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == [True, True]


def test_many_threads_compile_and_call(sample):
    x, wrong = numpy.arange(100, dtype=numpy.int32), []

    def call():
        for _ in range(50):
            if not numpy.array_equal(sample.add(x, x), 2 * x):
                wrong.append(1)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_torch_shares_memory(sample):
    torch = pytest.importorskip("torch")
    t = torch.ones(4)
    y = sample.twice(t)
    assert torch.from_dlpack(y).tolist() == [2, 2, 2, 2]
    assert torch.from_dlpack(y).data_ptr() == y.__array_interface__["data"][0]


def test_a_source_that_is_no_module():
    with pytest.raises(ValueError, match="SINTER_PYTHON_MODULE"):
        sinter.compile("int x;\n")


def test_the_example(capsys):
    spec = importlib.util.spec_from_file_location("heat", HERE.parent / "examples" / "heat.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert example.main(50, 20), capsys.readouterr().out
