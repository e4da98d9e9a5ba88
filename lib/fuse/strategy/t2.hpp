// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// T2 reduction of the dependence graph (Henriksen and Oancea 2013, section 3): an operation joins the one kernel that reads
/// its results.
#pragma once

#include "fuse/cluster_set.hpp"

namespace sinter::fuse {

/// The four conditions under which an operation is fused (Henriksen and Oancea 2013, section 3.3), one by one.
struct T2Conditions {
    bool outputs_fusable;  ///< 1: its results are read by operations only, and by one kernel
    bool has_kernel;       ///< 2: there is a kernel that reads its results
    bool compatible;       ///< 3: kernel and operation are one cluster in the closed form
    bool before_updates;   ///< 4: no variable it reads is updated in place between it and the kernel
    bool all() const { return outputs_fusable && has_kernel && compatible && before_updates; }
};

/// Operations are visited from the last to the first; conditions(op) may be asked once all later operations have been
/// visited. The work is linear in the number of accesses.
class T2Reduction {
  public:
    T2Reduction(const DepGraph& graph, Legality& legality);

    T2Conditions conditions(Operation op);
    /// Fuses `op` into its kernel, or starts a kernel of its own.
    void visit(Operation op);
    /// `variable` is updated in place here: whatever is visited from now on and reads it must not move behind this point.
    void update(ir::ValueId variable);

    Clusters take();

  private:
    struct Kernel {
        Operations operations;             ///< from the last to the first
        std::vector<ir::ValueId> inplace;  ///< variables updated in place between the point reached and the kernel
        Operation fold;                    ///< any fold in the kernel
        bool maps_and_folds = true;        ///< the kernel has nothing else
    };
    static constexpr std::size_t no_kernel = static_cast<std::size_t>(-1);

    bool is_map_or_fold(Operation op) const { return graph_.pattern(op) <= Pattern::fold; }
    std::optional<Order> common_order(Operation op);
    bool fits(Operation op, const Kernel& kernel);
    bool is_legal(Operation op, const Kernel& kernel);
    void add(Operation op, std::size_t kernel, const Order& order);

    const DepGraph& graph_;
    Legality& legality_;
    std::vector<Kernel> kernels_;
    std::vector<std::size_t> kernel_of_;  ///< by operation
    std::vector<std::size_t> read_by_;    ///< by operation: the kernel that reads its results
    std::vector<bool> unfusable_;         ///< by operation: read by two kernels, or needed in memory
    std::vector<Order> orders_;           ///< by operation: where its kernel evaluates it
};

}  // namespace sinter::fuse
