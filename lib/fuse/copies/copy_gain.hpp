// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known about copying an operation for each of its readers before anything is searched.
#pragma once

#include "fuse/cost.hpp"

#include <optional>

namespace sinter::fuse {

class CopyGain {
  public:
    /// Keeps references to both.
    CopyGain(const DepGraph& graph, const Prices& prices);

    /// True if, whatever else is copied, the best partition with at most so many copies of `op` costs no more than without.
    bool always_pays(Operation op, double copies) const;

    /// True if, whatever else of `repeatable` is copied, the best partition without copies of `op` costs no more than with
    /// them. `copies`: the largest number of copies of each operation.
    bool never_pays(Operation op, const std::vector<bool>& repeatable, const std::vector<double>& copies) const;

  private:
    struct Input {
        Operation producer;
        double price;
        double shared;  ///< the largest number of other reads that may share it
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
    /// The looks at an operation: the price of one, how many are by fused copies, and how many at stored ones.
    struct Looks {
        double price, fused, stored;
    };
    double saving(Operation op, const std::vector<Input>& inputs, const Looks& looks) const;
    double saving_at_home(Operation op, Operation home, const std::vector<Input>& inputs, const Looks& looks) const;

    const DepGraph& graph_;
    const Prices& prices_;
    std::vector<std::vector<const Access*>> reads_of_;  ///< by variable
    std::vector<bool> updated_;                         ///< by variable
    double whole_ = 0;  ///< price of what several operations read as a whole: a cluster that falls apart pays it once more
};

}  // namespace sinter::fuse
