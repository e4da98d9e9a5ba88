// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One round of lift: the vmaps that contain none are replaced by what their bodies become. lift.cpp has the idea; the rules
/// are in lift_map.cpp (map, fold, scan), lift_view.cpp, lift_access.cpp (gather, scatter, sort) and lift_control.cpp.
#pragma once

#include "enable/batched.hpp"
#include "enable/lift_function.hpp"
#include "ir/rebuild.hpp"

#include <optional>

namespace sinter::enable {

/// A vmap, or a fold or scan of rows.
bool contains_nest(const ir::Body& body);

class Lifter : public ir::Rebuilder {
  private:
    /// A variable in new names. If batched, its type has the vmap's extent in front.
    struct Operand {
        ir::ValueId id;
        bool batched = false;
    };

    bool before_renaming(ir::Binding& binding) override;
    void binding(ir::Binding&& binding) override;
    void guard(ir::Guard&& guard) override;
    void vmap(ir::Binding& binding, ir::Vmap& vmap);
    void refuse_varying_sizes(const ir::Binding& binding);
    void lift_extents(ir::Binding& binding);
    bool varies(ir::SizeId old);
    [[noreturn]] void refuse(const std::string& what) const;

    // Rules. Bindings have old names; each ends in define_results().
    void lift(const ir::Binding& binding, const Flags& flags);
    void lift_map(const ir::Map& map, const std::vector<ir::Type>& types);
    void lift_fold(const ir::Fold& fold, const std::vector<ir::Type>& types);
    void lift_scan(const ir::Scan& scan, const std::vector<ir::Type>& types);
    void lift_view(const ir::View& view, const std::vector<ir::Type>& types);
    void lift_gather(const ir::Gather& gather, const std::vector<ir::Type>& types, const Flags& flags);
    void lift_scatter(const ir::Scatter& scatter, const std::vector<ir::Type>& types);
    void lift_sort(const ir::Sort& sort, const std::vector<ir::Type>& types);
    void lift_force(const ir::Force& force, const Flags& flags);
    void lift_cond(ir::Cond& cond, const std::vector<ir::Type>& types, const Flags& flags);
    void lift_loop(ir::Loop& loop, const std::vector<ir::Type>& types, const Flags& flags);

    // Parts of them.
    ir::ValueId map_arrays(const ir::Map& map, const std::vector<ir::Type>& types);
    ir::Fn lift_operator(const ir::Fn& op, const ir::Captures& captures, const ir::Shape& outer, ir::Captures& made);
    std::vector<ir::ValueId> per_line(const std::vector<ir::ValueId>& old, const ir::Shape& outer);
    ir::ValueId per_line(Operand scalar, const ir::Shape& outer);
    ir::ValueId filled_per_slice(ir::View pad, ir::ValueId fill, const ir::Type& result);
    ir::ValueId gather_from(const ir::Gather& part, const std::vector<ir::Type>& types);
    static ir::Map as_map(const ir::Gather& gather, const std::vector<ir::Type>& types);
    void mask_shared(ir::ArrayOp& op, const std::vector<ir::Type>& types);
    ir::ValueId masked_index(ir::ValueId index, bool drops, ir::ValueId wanted);
    void choose(ir::Cond& cond, ir::ValueId condition);
    void count_each(ir::Loop& loop, const std::vector<ir::Type>& types);
    void while_any(ir::Loop& loop, const std::vector<ir::Type>& types);
    ir::ValueId still_active(ir::Body condition, const std::vector<ir::ValueId>& states);
    ir::Body iteration_of(ir::Loop& loop, const std::vector<ir::Type>& params);
    std::vector<ir::ValueId> add_parameters(Nest& nest, const std::vector<ir::Type>& types);
    ir::Body lifted_body(ir::Body& old, const std::vector<ir::Type>& params, const Flags& flags, const Flags& wanted);
    std::vector<Operand> splice_results(ir::Body& body);
    std::vector<ir::ValueId> states_where(ir::ValueId active, ir::Body& body, const std::vector<ir::ValueId>& states);

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

    // Small operations.
    ir::ValueId emit(ir::ArrayOp op, std::vector<ir::Type> types);
    ir::ValueId constant(ir::Scalar scalar, std::uint64_t bits);
    ir::ValueId apply(ir::Op op, std::vector<ir::ValueId> args, ir::Scalar result);
    ir::ValueId select(ir::ValueId condition, ir::ValueId then, ir::ValueId otherwise);
    /// `condition`, one a slice, and where the mask, if any, is set.
    ir::ValueId where_masked(ir::ValueId condition);
    ir::ValueId reduce_slices(ir::Op op, ir::ValueId scalars);

    ir::Type lifted(ir::Type type) const;
    /// In new names, lifted where flagged.
    std::vector<ir::Type> lifted(const std::vector<ir::Type>& old, const Flags& flags);
    void define_results(const std::vector<ir::ValueId>& ids, const Flags& flags);
    void define_results(ir::ValueId first, const Flags& flags);
    void define_batched(ir::ValueId first, std::size_t count);

    // While in a vmap:
    ir::SizeId extent_;                ///< its extent; invalid outside
    Batched batched_;                  ///< by old name
    std::optional<ir::ValueId> mask_;  ///< of rank 1: which slices execute what is being lifted; none: all
    ir::SiteId site_;                  ///< of the binding that is being lifted
    std::string name_;                 ///< of its operation
};

}  // namespace sinter::enable
