// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known before any search of copies of an operation for each of its readers.
#pragma once

#include "fuse/cost.hpp"

#include <optional>

namespace sinter::fuse {

class CopyGain {
  public:
    /// Keeps references.
    CopyGain(const DepGraph& graph, const Prices& prices);

    /// Whatever else is copied: with copies of `op` the best partition costs no more than without.
    bool always_pays(Operation op) const;

    /// Whatever else of `repeatable` is copied: without copies of `op` it costs no more than with them. `copies`: how many
    /// of each operation there may be.
    bool never_pays(Operation op, const std::vector<bool>& repeatable, const std::vector<double>& copies) const;

  private:
    struct Input {
        Operation producer;
        double price;
        double shared;  ///< by so many reads of others at most
    };

    bool is_array(const Access& access) const { return graph_.types[access.variable.index].rank() > 0; }
    Label course(const Access& access) const { return graph_.labels.course(access.label); }
    std::size_t arrays_read(Operation op) const;
    double price_of_reads(Operation op) const;
    double price_of_results(Operation op) const;
    double price_of_piece() const { return prices_.launch() + whole_; }
    Operation main_reader(Operation op) const;
    std::vector<bool> behind_memory(Operation reader) const;
    std::optional<std::vector<Input>> inputs(Operation op, Operation reader, const std::vector<bool>& repeatable) const;
    double neighbours(Operation op, const std::vector<double>& copies, Operation except) const;
    Operation home(Operation op) const;
    /// Of so many looks at an operation, some by fused copies and the others at stored ones.
    struct Looks {
        double price, fused, stored;
    };
    double saving(Operation op, const std::vector<Input>& inputs, const Looks& looks) const;
    double saving_at_home(Operation op, Operation home, const std::vector<Input>& inputs, const Looks& looks) const;

    const DepGraph& graph_;
    const Prices& prices_;
    std::vector<std::vector<const Access*>> reads_of_;  ///< by variable
    std::vector<bool> updated_;                         ///< by variable
    double whole_ = 0;  ///< price of what several operations read as a whole: a cluster that falls apart pays it again
};

}  // namespace sinter::fuse
