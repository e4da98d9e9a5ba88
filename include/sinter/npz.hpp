// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// NumPy's .npz files: several arrays with names. Not part of sinter.hpp.
#pragma once

#include <sinter/npy.hpp>

namespace sinter {

namespace detail {

inline void list_members(std::vector<NpzMember>&, location) {}
template <class A, class... Rest>
void list_members(std::vector<NpzMember>& members, location where, const std::string& name, const A& a,
                  const Rest&... rest) {
    const auto shape = a.shape(where);
    members.push_back({name, file_element<typename A::element_type>(), {shape.begin(), shape.end()}, a.leaves().leaf});
    list_members(members, where, rest...);
}

}  // namespace detail

/// Writes arrays under names, as numpy.savez does: save_npz("run.npz", "x", x, "steps", n). UsageError if the file cannot be
/// written, or if two names are the same.
template <class... NamesAndArrays>
    requires(sizeof...(NamesAndArrays) % 2 == 0)
void save_npz(const detail::PathHere& path, const NamesAndArrays&... members) {
    std::vector<detail::NpzMember> list;
    detail::list_members(list, path.where, members...);
    detail::save_npz(path.text, list.data(), list.size(), path.where);
}

/// The array with this name, also from files written by numpy.savez_compressed. Errors as for load_npy; UsageError if there
/// is no such array. Each call reads the file.
template <class T, int Rank = 1>
Array<T, Rank> load_npz(const std::string& path, const std::string& name, location where = location::current()) {
    detail::Leaves<T> leaves;
    detail::load_npz(path, name, detail::file_element<T>(), Rank, false, leaves.leaf, where);
    return Array<T, Rank>(std::move(leaves));
}
/// The same with elements of any type, as load_npy(path, convert).
template <class T, int Rank = 1>
Array<T, Rank> load_npz(const std::string& path, const std::string& name, Convert, location where = location::current()) {
    detail::Leaves<T> leaves;
    detail::load_npz(path, name, detail::file_element<T>(), Rank, true, leaves.leaf, where);
    return Array<T, Rank>(std::move(leaves));
}

/// The names of the arrays in a file, in order.
inline std::vector<std::string> npz_names(const std::string& path, location where = location::current()) {
    return detail::npz_names(path, where);
}

}  // namespace sinter
