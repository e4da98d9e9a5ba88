// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parts of arrays in files, which are given as those of slice.
#pragma once

#include <sinter/combinators/slice.hpp>

namespace sinter::detail {

struct StoredPart {
    SliceArgument range;
    bool index = false;  ///< one element, whose axis the array in memory does not have
};

template <class V>
StoredPart stored_part(const V& spec) {
    return {slice_argument(spec), SizeLike<V>};
}

/// The number of axes that are left.
template <class... Spec>
inline constexpr int parts_rank = ((SizeLike<Spec> ? 0 : 1) + ... + 0);

}  // namespace sinter::detail
