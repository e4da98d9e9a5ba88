// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes operations on all slices of a vmap at once: which variables are batched, under which mask slices take part, and
/// small operations from which the rules of lift are made (lift_rules.hpp).
#pragma once

#include "enable/lift/batched.hpp"
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
    using Rebuilder::old_level;
    using Rebuilder::rename;
    using Rebuilder::sizes;
    using Rebuilder::type;
    using Rebuilder::undefine;

    /// A variable in new names. If batched, its type has the vmap's extent in front.
    struct Operand {
        ir::ValueId id;
        bool batched = false;
    };

    const Batched& is_batched() const { return batched_; }            ///< by old name
    ir::SizeId extent() const { return extent_; }                     ///< of the vmap; invalid outside of one
    const std::optional<ir::ValueId>& mask() const { return mask_; }  ///< of rank 1: which slices take part; none: all
    /// Throws the Limitation of the operation that is being lifted.
    [[noreturn]] void refuse(const std::string& what) const { refuse(name_, what); }
    [[noreturn]] void refuse(const std::string& operation, const std::string& what) const;

    // Bodies.
    /// The results of a body, written here.
    std::vector<Operand> splice_results(ir::Body& body);
    /// The same for the slices where `mask` is set, if there is one.
    std::vector<Operand> splice_results(ir::Body& body, std::optional<ir::ValueId> mask);
    /// f() under this mask.
    template <class F>
    auto under(ir::ValueId mask, F f) {
        const std::optional<ir::ValueId> outer = std::exchange(mask_, mask);
        auto result = f();
        mask_ = outer;
        return result;
    }
    /// Results of a body with these flags of its parameters, which have been define()d.
    Flags flags_of_body(const ir::Body& body, const Flags& params) { return batched_.body(body, params, old_level()); }
    std::vector<ir::ValueId> add_parameters(Nest& nest, const std::vector<ir::Type>& types);

    // Operands.
    Operand use(ir::ValueId old) const { return {rename(old), batched_(old)}; }
    /// With the slice as outermost axis, whether it depends on it or not.
    ir::ValueId batched(Operand operand);
    std::vector<ir::ValueId> batched(const std::vector<ir::ValueId>& old);
    std::vector<ir::ValueId> batched(const std::vector<Operand>& operands, const Flags& wanted);
    /// One value a slice, [n], repeated along the further axes of `shape`.
    ir::ValueId spread(ir::ValueId scalars, const ir::Shape& shape);
    /// The position of the slice, of this shape.
    ir::ValueId positions(const ir::Shape& shape);

    /// A size, by its old name, as a scalar: one a slice if it depends on it.
    Operand scalar(ir::SizeId old);
    /// Whether a size differs from slice to slice. By its old name.
    bool varies(ir::SizeId old);

    // Small operations.
    ir::ValueId emit(ir::ArrayOp op, std::vector<ir::Type> types);
    ir::ValueId constant(ir::Scalar scalar, std::uint64_t bits);
    ir::ValueId apply(ir::Op op, std::vector<ir::ValueId> args, ir::Scalar result);
    ir::ValueId select(ir::ValueId condition, ir::ValueId then, ir::ValueId otherwise);
    /// `condition`, one a slice, and where the mask, if any, is set.
    ir::ValueId where_masked(ir::ValueId condition);
    ir::ValueId reduce_slices(ir::Op op, ir::ValueId scalars);

    // Results.
    ir::Type lifted(ir::Type type) const;
    /// In new names, lifted where flagged.
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
    ir::SiteId site_;   ///< of the binding that is being lifted
    std::string name_;  ///< of its operation
};

}  // namespace sinter::enable
