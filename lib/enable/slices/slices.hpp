// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes operations on all slices of a vmap at once. Knows which variables are batched and under which mask slices take
/// part, and has the small operations of which the rules of lift are made (lift_rules.hpp).
#pragma once

#include "enable/slices/batched.hpp"
#include "enable/slices/linear.hpp"
#include "ir/rebuild.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinter::enable {

class Slices : public ir::Rebuilder {
  public:
    using Nest = Rebuilder::Nest;
    using Rebuilder::add_parameter;
    using Rebuilder::enter;
    using Rebuilder::leave;
    using Rebuilder::level;
    using Rebuilder::old_level;
    using Rebuilder::rename;
    using Rebuilder::sizes;
    using Rebuilder::type;
    using Rebuilder::undefine;
    using Rebuilder::write;

    /// A variable with a new name. If it is batched, its type begins with the vmap's extent.
    struct Operand {
        ir::ValueId id;
        bool batched = false;
    };

    const Batched& is_batched() const { return batched_; }  ///< by old name
    ir::SizeId extent() const { return extent_; }           ///< of the vmap; invalid outside of a vmap
    const std::optional<ir::ValueId>& mask() const {
        return mask_;
    }  ///< of rank 1: true for slices that take part; nothing
       ///< if all do
    /// Throws the Limitation of the operation that is being lifted.
    [[noreturn]] void refuse(const std::string& what) const { refuse(name_, what); }
    [[noreturn]] void refuse(const std::string& operation, const std::string& what) const;

    // Bodies.
    /// The results of a body, written here.
    std::vector<Operand> splice_results(ir::Body& body);
    /// The same for the slices at which `mask` is set, if there is one.
    std::vector<Operand> splice_results(ir::Body& body, std::optional<ir::ValueId> mask);
    /// Writes those guards of a body that hold or not before its bindings are executed, so that these rely on them, and
    /// removes them.
    void write_known(std::vector<ir::Guard>& guards);
    /// Calls f() under this mask.
    template <class F>
    auto under(std::optional<ir::ValueId> mask, F f) {
        const std::optional<ir::ValueId> outer = std::exchange(mask_, mask);
        auto result = f();
        mask_ = outer;
        return result;
    }
    /// The flags of the results of a body whose parameters, which have been define()d, have the flags `params`.
    Flags flags_of_body(const ir::Body& body, const Flags& params) { return batched_.body(body, params, old_level()); }
    std::vector<ir::ValueId> add_parameters(Nest& nest, const std::vector<ir::Type>& types);

    // Operands.
    Operand use(ir::ValueId old) const { return {rename(old), batched_(old)}; }
    /// The operand with the slice as its outermost axis, whether or not it depends on the slice.
    ir::ValueId batched(Operand operand);
    std::vector<ir::ValueId> batched(const std::vector<ir::ValueId>& old);
    std::vector<ir::ValueId> batched(const std::vector<Operand>& operands, const Flags& wanted);
    /// One value per slice, of shape [n], repeated along the remaining axes of `shape`.
    ir::ValueId spread(ir::ValueId scalars, const ir::Shape& shape);
    /// The position of the slice, in this shape.
    ir::ValueId positions(const ir::Shape& shape);

    /// A size, given by its old name, as a scalar; there is one per slice if it depends on the slice.
    Operand scalar(ir::SizeId old);
    /// True if the size, given by its old name, differs from slice to slice.
    bool varies(ir::SizeId old);
    /// How the variable, which has a new name, grows from slice to slice, if it does so evenly.
    std::optional<Linear> linear(ir::ValueId id) { return linear_in_slice(written(), level(), id); }

    // Small operations.
    ir::ValueId emit(ir::ArrayOp op, std::vector<ir::Type> types);
    ir::ValueId constant(ir::Scalar scalar, std::uint64_t bits);
    ir::ValueId apply(ir::Op op, std::vector<ir::ValueId> args, ir::Scalar result);
    ir::ValueId select(ir::ValueId condition, ir::ValueId then, ir::ValueId otherwise);
    /// `condition`, which has one element per slice, and the mask if there is one.
    ir::ValueId where_masked(ir::ValueId condition);
    ir::ValueId reduce_slices(ir::Op op, ir::ValueId scalars);

    // Results.
    ir::Type lifted(ir::Type type) const;
    /// Types with new names, lifted where flagged.
    std::vector<ir::Type> lifted(const std::vector<ir::Type>& old, const Flags& flags);
    void define_results(const std::vector<ir::ValueId>& ids, const Flags& flags);
    void define_results(ir::ValueId first, const Flags& flags);
    void define_batched(ir::ValueId first, std::size_t count);

  protected:
    void begin_vmap(ir::SizeId extent) { extent_ = extent, batched_ = Batched(sizes()); }
    void end_vmap() { extent_ = {}, batched_ = {}; }
    void begin_binding(const ir::Binding& binding) { site_ = binding.site, name_ = name(binding); }
    Batched& flags() { return batched_; }

  private:
    ir::SizeId extent_;
    Batched batched_;
    std::optional<ir::ValueId> mask_;
    ir::SiteId site_;   ///< site of the binding that is being lifted
    std::string name_;  ///< name of its operation
};

}  // namespace sinter::enable
