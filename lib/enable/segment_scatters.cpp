// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/segment_scatters.hpp"

#include "enable/flatten/element_writer.hpp"
#include "enable/segment_numbers.hpp"
#include "enable/tuning.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"

#include <unordered_map>

namespace sinter::enable {

using namespace ir;

namespace {

using Found = std::unordered_map<const Binding*, NumberedSegments>;

/// Looks for the scatters, in all bodies.
class ScatterFinder {
  public:
    explicit ScatterFinder(const Program& program) : program_(program), definitions_(program.sizes, types_) {}

    Found run() {
        body(program_.body);
        return std::move(found_);
    }

  private:
    void body(const Body& body) {
        const std::size_t outside = types_.size();
        types_ = types_of(body, std::move(types_));
        std::vector<Type> later(types_.begin() + static_cast<std::ptrdiff_t>(outside + body.params.size()), types_.end());
        types_.resize(outside + body.params.size());
        definitions_.enter(body);
        auto next = later.begin();
        for (const Binding& binding : body.bindings) {
            if (const std::vector<Body>* nested = bodies_of(binding.op))
                for (const Body& each : *nested) this->body(each);
            if (const auto* scatter = std::get_if<Scatter>(&binding.op)) find(binding, *scatter);
            const auto end = next + static_cast<std::ptrdiff_t>(binding.types.size());
            types_.insert(types_.end(), next, end);
            next = end;
            definitions_.add(binding);
        }
        types_.resize(outside);
        definitions_.leave(outside);
    }

    void find(const Binding& binding, const Scatter& scatter) {
        if (!scatter.op || !scatter.captures.scalars.empty() || !scatter.captures.arrays.empty()) return;
        if (scatter.indices.size() != 1) return;
        const auto segments = definitions_.numbered_by(scatter.indices[0]);
        if (segments && binding.types[0].shape == types_[segments->lengths.index].shape) found_.emplace(&binding, *segments);
    }

    const Program& program_;
    std::vector<Type> types_;
    Definitions definitions_;
    Found found_;
};

/// Writes the folds of segments, as <sinter/combinators/segments.hpp> does: a piece of each segment ends where the index is
/// a multiple of a power of two, and the pieces that begin there follow those that begin with a segment.
class SegmentFolds {
  public:
    SegmentFolds(const Scatter& scatter, NumberedSegments segments) : scatter_(scatter), segments_(segments) {}

    /// The fold of a piece by its number. A piece that begins with a segment starts from the destination; one that begins
    /// where no segment continues is arbitrary.
    Locals piece(ElementWriter& to) const {
        const Local number(0), count = to.extent(segments_.lengths, 0);
        const Local is_first = to.apply(Op::less, {number, count});
        const Local cuts = to.apply(Op::add, {to.apply(Op::sub, {number, count}), to.index(1)});
        const Local cut = to.apply(Op::shift_left, {cuts, log_piece(to)});
        const Local segment =
            to.cond(is_first, [&] { return Locals{number}; }, [&] { return Locals{segment_at(to, cut)}; })[0];
        const Local start = to.read(segments_.starts, {segment});
        const Local begin = to.apply(Op::select, {is_first, start, cut});
        const Local end = to.apply(Op::select, {to.apply(Op::bit_or, {is_first, to.apply(Op::less, {start, cut})}),
                                                end_of_piece(to, segment, start, begin), begin});
        const Local from_dest = to.apply(Op::bit_or, {is_first, to.apply(Op::equal, {begin, end})});
        const Local rest = to.apply(Op::add, {begin, to.apply(Op::select, {from_dest, to.index(0), to.index(1)})});
        const Locals first = to.cond(
            from_dest, [&] { return all(to, scatter_.dests, segment); }, [&] { return all(to, scatter_.values, begin); });
        return to.for_loop(to.apply(Op::sub, {end, rest}), first, [&](Local k, Locals states) {
            return combined(to, std::move(states), all(to, scatter_.values, to.apply(Op::add, {rest, k})));
        });
    }

    /// The fold of a segment by its number, from those of its pieces.
    Locals segment(ElementWriter& to, const std::vector<ValueId>& pieces) const {
        const Local number(0), count = to.extent(segments_.lengths, 0), start = to.read(segments_.starts, {number});
        const Local end = to.apply(Op::add, {start, to.read(segments_.lengths, {number})});
        const Local cuts = to.apply(Op::shift_right, {start, log_piece(to)});
        const Local last = to.apply(Op::shift_right, {to.apply(Op::sub, {end, to.index(1)}), log_piece(to)});
        const Local further = to.apply(Op::add, {count, cuts});
        return to.for_loop(to.apply(Op::sub, {last, cuts}), all(to, pieces, number), [&](Local k, Locals states) {
            return combined(to, std::move(states), all(to, pieces, to.apply(Op::add, {further, k})));
        });
    }

  private:
    static Local log_piece(ElementWriter& to) { return to.index(tuning::log_piece); }

    Local end_of_piece(ElementWriter& to, Local segment, Local start, Local begin) const {
        const Local end = to.apply(Op::add, {start, to.read(segments_.lengths, {segment})});
        const Local next = to.apply(Op::add, {to.apply(Op::shift_right, {begin, log_piece(to)}), to.index(1)});
        return to.apply(Op::minimum, {end, to.apply(Op::shift_left, {next, log_piece(to)})});
    }

    /// The last segment that begins at this element or before it.
    Local segment_at(ElementWriter& to, Local element) const {
        const auto more = [&](const Locals& range) {
            return to.apply(Op::greater, {to.apply(Op::sub, {range[1], range[0]}), to.index(1)});
        };
        const auto halve = [&](const Locals& range) {
            const Local middle = to.apply(Op::shift_right, {to.apply(Op::add, {range[0], range[1]}), to.index(1)});
            const Local begun = to.apply(Op::less_equal, {to.read(segments_.starts, {middle}), element});
            return Locals{to.apply(Op::select, {begun, middle, range[0]}), to.apply(Op::select, {begun, range[1], middle})};
        };
        return to.while_loop({to.index(0), to.extent(segments_.starts, 0)}, more, halve)[0];
    }

    static Locals all(ElementWriter& to, const std::vector<ValueId>& arrays, Local index) {
        Locals elements;
        for (ValueId array : arrays) elements.push_back(to.read(array, {index}));
        return elements;
    }

    Locals combined(ElementWriter& to, Locals states, const Locals& elements) const {
        states.insert(states.end(), elements.begin(), elements.end());
        return inline_block(to.builder(), scatter_.op->body, std::move(states));
    }

    const Scatter& scatter_;
    NumberedSegments segments_;
};

class SegmentScatters : public Rebuilder {
  public:
    explicit SegmentScatters(Found found) : found_(std::move(found)) {}

  private:
    bool before_renaming(Binding& binding) override {
        const auto found = found_.find(&binding);
        if (found == found_.end()) return true;
        const NumberedSegments segments{rename(found->second.lengths), rename(found->second.starts)};
        rename_types(binding);
        rename(binding.op);
        write(std::get<Scatter>(binding.op), binding, segments);
        return false;
    }

    void write(const Scatter& scatter, const Binding& binding, const NumberedSegments& segments) {
        const SegmentFolds folds(scatter, segments);
        const SizeId length = type(scatter.values[0]).shape[0];
        const SizeId piece = sizes().constant(std::int64_t{1} << tuning::log_piece);
        const SizeId before = sizes().constant((std::int64_t{1} << tuning::log_piece) - 1);
        const SizeId cuts = sizes().ceil_div(sizes().sub(length, before), piece);
        Map map = written_by([&](ElementWriter& to) { return folds.piece(to); });
        for (std::size_t slot = 0; slot < map.fn.arrays.size(); ++slot)
            for (ValueId value : scatter.values)
                if (map.captures.arrays[slot] == value) map.fn.arrays[slot].once = true;
        std::vector<Type> types = binding.types;
        for (Type& type : types) type.shape = {sizes().add(type.shape[0], cuts)};
        const std::vector<ValueId> pieces = appended(std::move(map), std::move(types), binding.site);
        define(
            appended(written_by([&](ElementWriter& to) { return folds.segment(to, pieces); }), binding.types, binding.site));
    }

    Map written_by(const ElementWriter::Emit& emit) {
        const ElementWriter::TypeOf type_of = [this](ValueId id) -> const Type& { return type(id); };
        ElementWriter::Written made = ElementWriter::write(type_of, {Scalar::i64}, emit);
        return Map{std::move(made.fn), {}, std::move(made.captures), true};
    }

    std::vector<ValueId> appended(Map map, std::vector<Type> types, SiteId site) {
        const std::size_t count = types.size();
        const ValueId first = append({std::move(map), std::move(types), site});
        std::vector<ValueId> results;
        for (std::size_t k = 0; k < count; ++k) results.emplace_back(first.index + k);
        return results;
    }

    Found found_;
};

}  // namespace

Program segment_scatters(Program program) {
    Found found = ScatterFinder(program).run();
    if (found.empty()) return program;
    return SegmentScatters(std::move(found)).run(std::move(program));
}

}  // namespace sinter::enable
