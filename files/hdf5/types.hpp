// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Element types as HDF5 types.
#pragma once

#include "handle.hpp"

#include <sinter/detail/stored_element.hpp>

#include <optional>

namespace sinter::hdf5 {

using detail::Scalar;
using detail::StoredElement;

/// As it lies in memory: components follow each other without gaps.
Handle memory_type(const StoredElement& element);
/// The element type of a dataset, whatever its byte order; nothing if Sinter has none such.
std::optional<StoredElement> element_of(hid_t type);
/// A dataset's type for people.
std::string print_type(hid_t type);
std::string print(const StoredElement& element);

/// True if a dataset of `stored` is an array of `wanted`.
bool fits(const StoredElement& wanted, const StoredElement& stored);

std::int64_t bytes_of(const StoredElement& element);
/// A scalar inside of an element.
struct Member {
    std::int64_t offset;
    Scalar scalar;
};
std::vector<Member> members_of(const StoredElement& element);

}  // namespace sinter::hdf5
