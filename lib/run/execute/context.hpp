// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all steps of an execution share: the plan and the call, the values of sizes, and memory for variables.
#pragma once

#include "run/execute/execute.hpp"
#include "run/execute/frame.hpp"
#include "run/plan/size_values.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::runtime {

using ir::SizeId;
using ir::Type;

/// Refers to the plan and the call.
class Context {
  public:
    Context(const Plan& of, const Call& with) : plan(of), call(with), sizes_(of, with) {}

    const Plan& plan;
    const Call& call;
    Backend& backend() const { return *plan.backend; }

    std::int64_t size(SizeId id, const Frame& frame) const {
        return sizes_.value(id, [&](ValueId value) { return number(frame.find(value).data); });
    }
    bool is_dynamic(SizeId id) const { return plan.dynamic[id.index]; }
    /// The value of a size that is not dynamic.
    std::int64_t static_size(SizeId id) const { return sizes_.statics()[id.index]; }
    std::vector<std::int64_t> extents(const std::vector<SizeId>& sizes, const Frame& frame) const;
    std::vector<std::int64_t> shape_of(const Type& type, const Frame& frame) const { return extents(type.shape, frame); }

    /// Of an array of this type; 0 where an extent is negative.
    double bytes_of(const Type& type, const Frame& frame) const;

    /// The value of a computed i64.
    std::int64_t number(const void* data) const;
    /// The value of a computed boolean.
    bool truth(ValueId id, const Frame& frame) const;

    void check_static_guards() const;
    void check_guards(const std::vector<const ir::Guard*>& guards, const Frame& frame) const;
    /// The ShapeError of a guard whose sizes are not known to be equal.
    void check_guard(const ir::Guard& guard, std::int64_t left, std::int64_t right) const;

    location site_location(ir::SiteId site) const {
        return site.valid() && site.index < call.sites.size() ? call.sites[site.index].where : call.where;
    }

    /// Allocates memory for an array; if there is none, throws the error that the user gets.
    void* allocate(Slot& slot, ir::Scalar scalar, std::span<const std::int64_t> shape, ir::SiteId site) const;
    void set_number(Slot& slot, std::int64_t value) const;
    /// Fills memory that allocate() gave from any other. `from` may change or end when it returns.
    void copy(void* to, const void* from, std::size_t bytes) const;

  private:
    /// A few bytes that kernels may have written.
    void read(void* to, const void* from, std::size_t bytes) const;

    SizeValues sizes_;
};

}  // namespace sinter::runtime
