// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Results of C++ functions as Python objects: arrays as sinter.Array, arrays of rank 0 and scalars as numbers, several as a
/// tuple.
#pragma once

#include <sinter/python/arguments.hpp>
#include <sinter/python/tensor.hpp>

#include <algorithm>
#include <tuple>

namespace sinter::python {

template <class T>
    requires(detail::is_scalar<T> || detail::is_complex<T>)
nanobind::object result(const T& value, const std::vector<Memory>&) {
    if constexpr (std::is_same_v<T, half>)
        return nanobind::cast(static_cast<float>(value));
    else
        return nanobind::cast(value);
}

/// In place, unless the elements lie in memory that belongs to the caller, who may write to it: then a copy. Complex numbers
/// are copied, because an array stores their parts one after the other.
template <class T, int Rank>
nanobind::object result(const Array<T, Rank>& array, const std::vector<Memory>& borrowed) {
    if constexpr (Rank == 0) {
        return result(array.item(), borrowed);
    } else {
        Tensor tensor{nullptr, nullptr, detail::tensor_type<T>(), {}};
        for (std::int64_t extent : array.shape()) tensor.shape.push_back(static_cast<std::size_t>(extent));
        if constexpr (detail::is_scalar<T>) tensor.data = array.data();
        auto is_inside = [&](const Memory& memory) { return memory.contains(tensor.data); };
        if (detail::is_complex<T> || std::any_of(borrowed.begin(), borrowed.end(), is_inside)) {
            std::shared_ptr<T[]> copy(new T[tensor.count() + 1]);
            const auto elements = array.to_vector();
            std::copy(elements.begin(), elements.end(), copy.get());
            tensor.data = copy.get();
            tensor.owner = copy;
        } else {
            tensor.owner = std::make_shared<Array<T, Rank>>(array);
        }
        return nanobind::cast(std::move(tensor));
    }
}

template <class... R>
nanobind::object result(const std::tuple<R...>& values, const std::vector<Memory>& borrowed) {
    return std::apply([&](const R&... value) { return nanobind::make_tuple(result(value, borrowed)...); }, values);
}
template <class A, class B>
nanobind::object result(const std::pair<A, B>& values, const std::vector<Memory>& borrowed) {
    return nanobind::make_tuple(result(values.first, borrowed), result(values.second, borrowed));
}

}  // namespace sinter::python
