// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Python passes, as arguments of C++ functions: arrays through DLPack or the buffer protocol, in place where
/// from_dlpack can; numbers with a check of their range.
#pragma once

#include <sinter/compile.hpp>
#include <sinter/python/elements.hpp>
#include <sinter/python/errors.hpp>
#include <sinter/python/tensor.hpp>

#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>

#include <memory>
#include <vector>

namespace sinter::python {

/// Memory that belongs to a caller, who may write to it after the call.
struct Memory {
    const char *begin, *end;
    bool contains(const void* address) const { return begin <= address && address < end; }
};

/// An argument on its way: of which function, the how manieth, and what is noted for the results.
struct ArgumentPlace {
    const std::string& function;
    std::size_t number;  ///< from 1
    std::vector<Memory>& borrowed;

    [[noreturn]] void mismatch(ErrorKind kind, const std::string& is, const std::string& expected) const {
        throw Mismatch{kind, function + ": argument " + std::to_string(number) + " is " + is + "; expected: " + expected};
    }
};

inline std::string class_of(nanobind::handle object) {
    return nanobind::cast<std::string>(nanobind::str(nanobind::handle(Py_TYPE(object.ptr())).attr("__name__")));
}

using AnyTensor = nanobind::ndarray<nanobind::ro>;

/// A tensor of Python, lent to a Sinter array: its deleter lets go of the Python object, on whichever thread.
struct LentTensor {
    AnyTensor tensor;
    std::vector<std::int64_t> shape, strides;
    dlpack::DLManagedTensor managed;

    explicit LentTensor(AnyTensor lent) : tensor(std::move(lent)) {
        for (std::size_t k = 0; k < tensor.ndim(); ++k) {
            shape.push_back(static_cast<std::int64_t>(tensor.shape(k)));
            strides.push_back(tensor.stride(k));
        }
        auto& t = managed.dl_tensor;
        t.data = const_cast<void*>(static_cast<const void*>(tensor.data()));
        t.device = {static_cast<dlpack::DLDeviceType>(tensor.device_type()), tensor.device_id()};
        t.ndim = static_cast<std::int32_t>(tensor.ndim());
        t.dtype = {tensor.dtype().code, tensor.dtype().bits, tensor.dtype().lanes};
        t.shape = shape.data();
        t.strides = strides.data();
        t.byte_offset = 0;
        managed.manager_ctx = this;
        managed.deleter = [](dlpack::DLManagedTensor* self) { delete static_cast<LentTensor*>(self->manager_ctx); };
    }
};

/// A parameter of a C++ function: its type for messages, and a Python object as its value.
template <class P>
struct Parameter;

template <ArrayLike A>
struct Parameter<A> {
    using T = element_t<A>;
    static constexpr int rank = rank_v<A>;
    using type = Array<T, rank>;
    static std::string name() { return "Array[" + element_name<T>() + ", " + std::to_string(rank) + "]"; }
    static type value(nanobind::handle object, const ArgumentPlace& place) {
        AnyTensor tensor;
        if (!nanobind::try_cast(object, tensor, false))
            place.mismatch(ErrorKind::usage, "a " + class_of(object),
                           name() + ", an object with __dlpack__ or a buffer, as numpy.asarray(x, \"" + element_name<T>() +
                               "\") makes one");
        check(tensor, place);
        auto lent = std::make_unique<LentTensor>(std::move(tensor));
        const void* memory = lent->managed.dl_tensor.data;
        type array = from_dlpack<T, rank>(&lent->managed);
        lent.release();  // the array's now, or gone where it was copied
        if constexpr (detail::is_scalar<T>)
            if (array.data() == memory && !nanobind::isinstance<Tensor>(object)) {
                auto* begin = static_cast<const char*>(memory);
                place.borrowed.push_back({begin, begin + array.size() * std::int64_t{sizeof(T)}});
            }
        return array;
    }

  private:
    static void check(const AnyTensor& tensor, const ArgumentPlace& place) {
        const detail::TensorType found{tensor.dtype().code, tensor.dtype().bits};
        const std::string elements = element_name(found, tensor.dtype().lanes);
        if (tensor.device_type() != dlpack::kDLCPU && tensor.device_type() != dlpack::kDLCUDAHost)
            place.mismatch(ErrorKind::usage, "on a device", name() + " in the memory of the host");
        if (!(found == detail::tensor_type<T>()) || tensor.dtype().lanes != 1)
            place.mismatch(ErrorKind::usage, "an array of " + elements, name());
        if (tensor.ndim() != static_cast<std::size_t>(rank))
            place.mismatch(ErrorKind::shape, "an array of rank " + std::to_string(tensor.ndim()), name());
    }
};

template <class T>
    requires(detail::is_scalar<T> || detail::is_complex<T>)
struct Parameter<T> {
    using type = T;
    static std::string name() { return element_name<T>(); }
    static type value(nanobind::handle object, const ArgumentPlace& place) {
        using Python = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, float>, double, T>;
        Python number{};
        if (!nanobind::try_cast(object, number))
            place.mismatch(ErrorKind::usage, nanobind::repr(object).c_str() + (" (" + class_of(object)) + ")", name());
        return static_cast<T>(number);
    }
};
template <class T>
struct Parameter<Exp<T>> : Parameter<T> {};

}  // namespace sinter::python
