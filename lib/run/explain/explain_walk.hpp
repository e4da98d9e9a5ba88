// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The bodies of a plan next to those of its program, with names for their contents.
#pragma once

#include <sinter/detail/run.hpp>

#include "run/plan/plan.hpp"

#include <span>
#include <string>
#include <vector>

namespace sinter::runtime {

struct ExplainedBody {
    const ir::Program* program;
    const ir::Body* body;
    const BodyPlan* plan;
    std::vector<ir::Type> outer;
    std::span<const ir::Site> sites;
    std::vector<ir::ValueId> first;         ///< by binding: its first result
    std::vector<bool> transparent;          ///< by binding: read through by clusters (fuse/rules/transparent.hpp)
    std::string role = {};                  ///< "Body of %3 loop at file.cpp:12"; empty for the program's body
    std::optional<ir::ValueId> count = {};  ///< for the body of a loop: how often it runs, unless that depends on a
                                            ///< condition

    bool in_loop_kernel = false;  ///< for the body of a loop: the whole loop may run as one kernel

    /// For example "%3 : f32[n0, n1]".
    std::string variable_name(ir::ValueId id) const;
    std::vector<std::string> variable_names(const std::vector<ir::ValueId>& ids) const;
    /// For example "%3 map".
    std::string operation_name(fuse::Operation operation) const;
    /// For example "file.cpp:12"; empty if no call is known.
    std::string place(fuse::Operation operation) const;
    /// Why an edge is not fused, with the places of the operations that the reason names.
    std::string reason(const fuse::Unfused& edge) const;
    /// The explanation of a cluster, without its bytes.
    detail::ClusterExplanation cluster(std::size_t index) const;
    /// What an operation of a cluster reads, looking through views and other operations that are computed where they are
    /// read.
    struct Source {
        ir::ValueId id;
        std::string through;  ///< "transpose, slice"
        bool inside;          ///< made inside the cluster
    };
    std::vector<Source> sources(std::size_t cluster, fuse::Operation operation) const;
    const ir::ArrayOp& op(fuse::Operation operation) const { return body->bindings[operation.index].op; }
    /// The variables that a cluster reads from memory or receives from other clusters.
    std::vector<ir::ValueId> reads(std::size_t cluster) const;
    std::vector<ir::ValueId> writes(std::size_t cluster) const;
    /// What a cluster updates but cannot update in place, for example "%3 : f32[n0], which is read after it would have been
    /// overwritten".
    std::vector<std::string> copies(std::size_t cluster) const;
    /// The binding of this body that makes a variable.
    std::optional<fuse::Operation> producer(ir::ValueId id) const;
};

/// The program's body comes first, then nested ones in the order of the operations to which they belong.
std::vector<ExplainedBody> walk(const Plan& plan, std::span<const ir::Site> sites);

}  // namespace sinter::runtime
