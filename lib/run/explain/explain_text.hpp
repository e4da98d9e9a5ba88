// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The text of an explanation.
#pragma once

#include "fuse/compare.hpp"
#include "run/explain/explain_walk.hpp"

#include "run/engine.hpp"

namespace sinter::runtime {

/// The most important parts come first: sums, what other strategies would do, clusters, edges between them; the program
/// comes last. `clusters` are those of all bodies, one after the other. `on_card`: a card runs it, in several streams.
std::string text_of(const Prepared& prepared, const std::vector<ExplainedBody>& bodies, const fuse::Comparison& comparison,
                    const detail::ExplanationData& data, bool on_card);

}  // namespace sinter::runtime
