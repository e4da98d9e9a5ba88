// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of a long computation in a file, from which any number of ranks goes on. Not part of sinter.hpp. (The function
/// checkpoint of the language decides what derivatives keep.)
#pragma once

#include <sinter/detail/build.hpp>
#include <sinter/npz.hpp>

#include <cstring>

namespace sinter {

namespace detail {

inline void list_states(std::vector<NpzMember>&, std::vector<LeafRef>&, location) {}
/// `numbers` has room for all leaves, which members refer to.
template <class A, class... Rest>
void list_states(std::vector<NpzMember>& members, std::vector<LeafRef>& numbers, location where, const std::string& name,
                 const A& a, const Rest&... rest) {
    if constexpr (is_scalar<A>) {
        numbers.push_back(make_array(scalar_v<A>, nullptr, 0, where));
        std::memcpy(data(numbers.back(), where), &a, sizeof a);
        members.push_back({name, file_element<A>(), {}, &numbers.back()});
    } else {
        list_members(members, where, name, a);
    }
    list_states(members, numbers, where, rest...);
}

}  // namespace detail

/// Writes arrays and numbers under names: save_checkpoint("run.npz", "u", u, "step", k). Whenever the program or the machine
/// stops, the file has what was saved last, or what was saved before. It is an archive as save_npz makes it, the same for
/// any number of ranks. UsageError if it cannot be written, or if two names are the same.
template <class... NamesAndStates>
    requires(sizeof...(NamesAndStates) % 2 == 0)
void save_checkpoint(const detail::PathHere& path, const NamesAndStates&... states) {
    std::vector<detail::NpzMember> members;
    std::vector<detail::LeafRef> numbers;
    numbers.reserve(sizeof...(NamesAndStates));
    detail::list_states(members, numbers, path.where, states...);
    detail::save_checkpoint(path.text, members.data(), members.size(), path.where);
}

/// The array or number of this name; each rank reads its own rows. UsageError if the file cannot be read, is damaged, or has
/// no such array of these elements; ShapeError if it has another rank.
template <class T, int Rank = 0>
auto load_checkpoint(const std::string& path, const std::string& name, location where = location::current()) {
    detail::Leaves<T> leaves;
    detail::load_checkpoint(path, name, detail::file_element<T>(), Rank, leaves.leaf, where);
    const Array<T, Rank> array(std::move(leaves));
    if constexpr (Rank == 0)
        return array.item(where);
    else
        return array;
}

/// True if there is a checkpoint: the same on all ranks.
inline bool has_checkpoint(const std::string& path, location where = location::current()) {
    return detail::has_checkpoint(path, where);
}

}  // namespace sinter
