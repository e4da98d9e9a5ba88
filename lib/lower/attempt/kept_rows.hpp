// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides which elements of a row are kept for later passes over it.
#pragma once

#include "lower/attempt/form.hpp"

namespace sinter::lower {

/// A variable of the element space that stage `stage` computes and stores for the stages after it.
struct KeptRow {
    ir::ValueId value;
    std::size_t stage;
};
using KeptRows = std::vector<KeptRow>;

/// The maps that several stages of a fold's form need, and that are more expensive to compute again than to load.
KeptRows kept_rows(const ir::Program& cluster, const Form& form);

}  // namespace sinter::lower
