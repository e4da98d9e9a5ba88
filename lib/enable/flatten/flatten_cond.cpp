// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches in slices of different shapes. Both sides are executed, each for the slices that take it; in the others its
// arrays are empty. What the sides result in has one shape, and is written segment after segment: the first side its own
// slices, the second the rest.
#include "enable/flatten/flatten_rules.hpp"
#include "enable/slices/lift_function.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

namespace {

class FlatCond {
  public:
    FlatCond(Flats& flats, Cond& cond, const Types& types)
        : flats_(flats), s_(flats.slices()), cond_(cond), types_(types), segments_(types.size()) {
        for (std::size_t k = 0; k < types.size(); ++k)
            if (is_flat(k)) segments_[k] = flats.with_owners(flats.segments(types[k].shape));
    }

    void run() {
        const ValueId condition = s_.batched(s_.use(cond_.condition));
        const ValueId opposite = s_.apply(Op::bit_not, {condition}, Scalar::boolean);
        const std::vector<ValueId> then = side(cond_.bodies[0], s_.where_masked(condition), nullptr);
        const std::vector<ValueId> all = side(cond_.bodies[1], s_.where_masked(opposite), &then);
        for (std::size_t k = 0; k < types_.size(); ++k) {
            if (is_flat(k))
                flats_.define_memory(types_[k], all[k]);
            else
                s_.define_results(std::vector<ValueId>{s_.select(condition, then[k], all[k])}, {true});
        }
    }

  private:
    bool is_flat(std::size_t k) const {
        const Shape& shape = types_[k].shape;
        return std::any_of(shape.begin(), shape.end(), [this](SizeId size) { return s_.varies(size); });
    }

    /// The results of a side for the slices that take it. Elsewhere flat ones are those of `other`, or 0.
    std::vector<ValueId> side(Body& body, ValueId taken, const std::vector<ValueId>* other) {
        const Flats::Scope scope(flats_);
        const std::size_t outside = s_.old_level();
        const std::vector<ValueId> results = s_.under(taken, [&] {
            flats_.count_uses(body);
            s_.write_known(body.guards);
            s_.write(body.bindings);
            std::vector<ValueId> made;
            for (std::size_t k = 0; k < types_.size(); ++k)
                made.push_back(is_flat(k) ? written(k, body.results[k], taken, other) : s_.batched(s_.use(body.results[k])));
            s_.write(body.guards);
            return made;
        });
        s_.undefine(outside);
        return results;
    }

    ValueId written(std::size_t k, ValueId result, ValueId taken, const std::vector<ValueId>* other) {
        const auto extents = [&](ElementWriter& to, Local slice) { return flats_.sizes(to, types_[k].shape, slice); };
        const Element element = [&](ElementWriter& to, Local slice, const Locals& index) {
            const auto own = [&] { return Locals{flats_.element(to, result, slice, index)}; };
            const auto others = [&] {
                if (!other) return Locals{to.builder().constant(types_[k].scalar, 0)};
                const Local start = to.read(segments_[k].starts, {slice});
                const Local position = to.apply(Op::add, {start, raveled(to, index, extents(to, slice))});
                return Locals{to.read((*other)[k], {position})};
            };
            return to.cond(to.read(taken, {slice}), own, others);
        };
        return flats_.map_segments(segments_[k], extents, {types_[k].scalar}, element);
    }

    Flats& flats_;
    Slices& s_;
    Cond& cond_;
    const Types& types_;
    std::vector<Segments> segments_;  ///< of flat results
};

}  // namespace

void flatten_cond(Flats& flats, Cond& cond, const Types& types) { FlatCond(flats, cond, types).run(); }

}  // namespace sinter::enable
