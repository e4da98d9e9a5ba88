// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays whose shapes differ from slice to slice, and the segments that hold them.
///
/// Such an array is *flat*: a function from a slice and an index within it to an element, as the delayed arrays of Keller et
/// al., "Regular, Shape-polymorphic, Parallel Arrays in Haskell" (ICFP 2010). Where its elements are needed in memory (for a
/// scan, a sort, a filter, or because they are costly and read more than once), it becomes *manifest*: the elements of all
/// slices one after another, one segment per slice (Blelloch, Vector Models for Data-Parallel Computing, 1990).
#pragma once

#include "enable/flatten/element_writer.hpp"
#include "enable/slices/slices.hpp"

#include <map>
#include <unordered_map>

namespace sinter::enable {

/// The elements of one or more arrays at an index of a slice.
using Element = std::function<Locals(ElementWriter&, ir::Local slice, const Locals& index)>;

/// One segment per slice.
struct Segments {
    ir::ValueId counts, starts;  ///< by slice
    ir::ValueId owners;          ///< by element: the slice; invalid if not made yet
    ir::SizeId total;
};

/// What folds become (folding.hpp).
enum class Folds : std::uint8_t {
    pieces,  ///< loops over the elements of a slice, and pieces of long ones
    loops,   ///< loops alone: in slices of slices, which are many
    scans,   ///< what is differentiated
};

class Flats {
  public:
    explicit Flats(Slices& slices)
        : s_(slices), type_of_([this](ir::ValueId id) -> const ir::Type& { return s_.type(id); }) {}

    /// Takes note of how the body, whose bindings come next, uses its variables.
    void count_uses(const ir::Body& body);
    /// What becomes known while it lives is forgotten afterwards: it may name variables of a body that has ended.
    class Scope;

    Slices& slices() { return s_; }
    bool is_flat(ir::ValueId old) const { return known_.flats.contains(old); }
    /// True if the rules of flatten_rules.hpp are to be applied to the binding.
    bool concerns(const ir::Binding& binding);

    Folds folds() const { return folds_; }
    void set_folds(Folds folds) { folds_ = folds; }

    // What functions of elements are made of. Variables and sizes have old names.
    std::size_t rank(ir::ValueId old) const;
    ir::Scalar scalar(ir::ValueId old) const;
    ir::Local element(ElementWriter& to, ir::ValueId old, ir::Local slice, const Locals& index);
    ir::Local size(ElementWriter& to, ir::SizeId old, ir::Local slice);
    ir::Local extent(ElementWriter& to, ir::ValueId old, std::size_t axis, ir::Local slice);
    /// The same if it is a constant.
    std::optional<std::int64_t> constant_extent(ir::ValueId old, std::size_t axis);
    /// True if two arrays are known to have the same extents as each other in every slice.
    bool have_same_extents(ir::ValueId old, ir::ValueId other) const;
    /// The extents of `old`.
    Locals extents(ElementWriter& to, ir::ValueId old, ir::Local slice);
    Locals sizes(ElementWriter& to, const ir::Shape& old, ir::Local slice);
    /// The position of an element of `old`, which is manifest or regular, in the array that memory() returns.
    ir::Local position(ElementWriter& to, ir::ValueId old, ir::Local slice, const Locals& index);

    /// The same in the order of map_lines().
    ir::Local line_position(ElementWriter& to, ir::ValueId old, const std::vector<std::size_t>& axes, ir::Local slice,
                            const Locals& index);

    // Arrays in memory.
    /// All elements, slice after slice.
    ir::ValueId memory(ir::ValueId old);
    Segments& segments_of(ir::ValueId old);
    /// Those of flat arrays of this shape.
    Segments& segments(const ir::Shape& old);
    const Segments& with_owners(Segments& segments);
    /// New segments for arrays of this shape.
    void add_segments(const ir::Shape& old, Segments segments) { known_.segments.insert_or_assign(old, segments); }
    Segments from_counts(ir::ValueId counts, ir::SizeId total = {});
    /// `element` of all elements of `of`, as arrays of rank 1.
    ir::ValueId map_elements(ir::ValueId of, const std::vector<ir::Scalar>& results, const Element& element);
    /// The same in an order in which `axes`, which increase, come last, so that the elements along them are contiguous.
    ir::ValueId map_lines(ir::ValueId of, const std::vector<std::size_t>& axes, const std::vector<ir::Scalar>& results,
                          const Element& element);
    /// The same for these segments, whose extents are given for each slice.
    using Extents = std::function<Locals(ElementWriter&, ir::Local slice)>;
    ir::ValueId map_segments(Segments& segments, const Extents& extents, const std::vector<ir::Scalar>& results,
                             const Element& element);
    /// A map over arguments of this shape: emit(to, indices, then arguments).
    using Emit = std::function<Locals(ElementWriter&, const Locals& params)>;
    ir::ValueId generate(const ir::Shape& shape, const std::vector<ir::ValueId>& args,
                         const std::vector<ir::Scalar>& results, const Emit& emit);
    /// `element` of all slices, as arrays whose outermost axis is the slice.
    ir::ValueId map_slices(const std::vector<ir::Type>& old_types, const Element& element);

    /// What a joined vmap results in, given the results of its body.
    std::vector<ir::ValueId> joined(const std::vector<ir::ValueId>& old);

    // Results of the binding that is being flattened, in order.
    /// `cost`: of an element, in instructions.
    void define(const std::vector<ir::Type>& old_types, const Element& element, std::size_t cost);
    /// A variable whose elements are cheap to read where they are.
    void define_read(const ir::Type& old_type, const Element& element);
    void define_memory(const ir::Type& old_type, ir::ValueId memory);
    std::size_t cost(ir::ValueId old) const;

  private:
    struct Flat {
        ir::Type type;  ///< with old names
        Element element;
        std::size_t result = 0;  ///< of `element`
        std::size_t cost = 0;
        ir::ValueId memory;  ///< invalid unless manifest
    };
    struct Uses {
        std::size_t count = 0;
        bool anywhere = false;  ///< elements may be read repeatedly
    };

    void define_flat(const ir::Type& old_type, const Element& element, std::size_t result, std::size_t cost);
    void read_memory(Flat& flat);
    /// The axes of an array, with these at the end.
    std::vector<std::size_t> axes_in_lines(ir::ValueId old, const std::vector<std::size_t>& last) const;
    ir::ValueId owners_of(const Segments& segments);
    Segments regular_segments(ir::ValueId id);
    const Slices::Operand& size_operand(ir::SizeId old);

    struct Known {
        std::unordered_map<ir::ValueId, Flat> flats;
        std::unordered_map<ir::ValueId, Uses> uses;
        std::map<ir::Shape, Segments> segments;                    ///< of flats, by shape
        std::unordered_map<ir::ValueId, Segments> regular;         ///< of other variables
        std::unordered_map<ir::SizeId, Slices::Operand> operands;  ///< sizes as scalars
    };
    /// The results of the element, or 0 where the slice takes no part.
    Locals masked(ElementWriter& to, ir::Local slice, const std::vector<ir::Scalar>& results,
                  const std::function<Locals()>& element) const;

    Slices& s_;
    ElementWriter::TypeOf type_of_;
    Known known_;
    Folds folds_ = Folds::pieces;
};

class Flats::Scope {
  public:
    explicit Scope(Flats& flats) : flats_(flats), before_(flats.known_) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { flats_.known_ = std::move(before_); }

  private:
    Flats& flats_;
    Known before_;
};

ir::Local product(ElementWriter& to, const Locals& factors);
/// The position in row-major order.
ir::Local raveled(ElementWriter& to, const Locals& index, const Locals& extents);
/// The index at a position.
Locals unraveled(ElementWriter& to, ir::Local position, const Locals& extents);

}  // namespace sinter::enable
