// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the segments of slices begin, and which slice an element belongs to.
#include "enable/flatten/flats.hpp"
#include "enable/slices/lift_function.hpp"

#include <algorithm>

namespace sinter::enable {

using namespace ir;

Segments& Flats::segments_of(ValueId old) {
    if (const auto flat = known_.flats.find(old); flat != known_.flats.end()) return segments(flat->second.type.shape);
    if (const auto known = known_.regular.find(old); known != known_.regular.end()) return known->second;
    const ValueId id = s_.batched(s_.use(old));
    const Segments made = s_.under(std::nullopt, [&] { return regular_segments(id); });
    return known_.regular.emplace(old, made).first->second;
}

/// ShapeError if an extent is negative.
Segments& Flats::segments(const Shape& old) {
    if (const auto known = known_.segments.find(old); known != known_.segments.end()) return known->second;
    const ValueId counts = map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local slice, const Locals&) {
        Local count = to.index(1);
        for (SizeId id : old) {
            const Local checked = to.apply(Op::segment_end, {to.index(0), size(to, id, slice), slice});
            count = to.apply(Op::mul, {count, checked});
        }
        return Locals{count};
    });
    return known_.segments.emplace(old, from_counts(counts)).first->second;
}

Segments Flats::from_counts(ValueId counts, SizeId total) {
    const Type by_slice = s_.type(counts);
    Scan sum{apply_op(Op::add, {Scalar::i64, Scalar::i64}), {s_.constant(Scalar::i64, 0)}, {counts}, {}};
    sum.exclusive = sum.totals = true;
    const ValueId starts = s_.emit(std::move(sum), {by_slice, {Scalar::i64, {}}});
    if (!total.valid()) total = s_.sizes().value(ValueId(starts.index + 1));
    return {counts, starts, {}, total};
}

/// Those of an array of which every slice has the same shape.
Segments Flats::regular_segments(ValueId id) {
    SizeId each = s_.sizes().constant(1);
    for (std::size_t axis = 1; axis < s_.type(id).rank(); ++axis) each = s_.sizes().mul(each, s_.type(id).shape[axis]);
    const std::size_t rank = s_.type(id).rank();
    auto all = [id, rank](ElementWriter& to) {
        Local count = to.index(1);
        for (std::size_t axis = 1; axis < rank; ++axis) count = to.apply(Op::mul, {count, to.extent(id, axis)});
        return count;
    };
    Segments made;
    made.counts = map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local, const Locals&) { return Locals{all(to)}; });
    made.starts = map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local slice, const Locals&) {
        return Locals{to.apply(Op::mul, {slice, all(to)})};
    });
    made.total = s_.sizes().mul(s_.extent(), each);
    auto owner = ElementWriter::write(type_of_, {Scalar::i64}, [&](ElementWriter& to) {
        return Locals{to.apply(Op::div, {Local(0), to.apply(Op::maximum, {all(to), to.index(1)})})};
    });
    made.owners = s_.emit(Map{std::move(owner.fn), {}, std::move(owner.captures), true}, {{Scalar::i64, {made.total}}});
    return made;
}

/// The total has to be the value of a variable, whatever is known about the shape.
std::vector<ValueId> Flats::joined(const std::vector<ValueId>& old) {
    std::vector<ValueId> results(2);
    for (ValueId id : old) {
        if (is_flat(id)) {
            results.push_back(memory(id));
            continue;
        }
        known_.regular.insert_or_assign(id, from_counts(segments_of(old[0]).counts));
        const Element same = [this, id](ElementWriter& to, Local slice, const Locals& index) {
            return Locals{element(to, id, slice, index)};
        };
        results.push_back(map_elements(id, {s_.type(s_.use(id).id).scalar}, same));
    }
    const Segments& segments = segments_of(old[0]);
    results[0] = ValueId(static_cast<std::size_t>(s_.sizes()[segments.total].index));
    results[1] = segments.counts;
    return results;
}

const Segments& Flats::with_owners(Segments& segments) {
    if (!segments.owners.valid()) segments.owners = s_.under(std::nullopt, [&] { return owners_of(segments); });
    return segments;
}

/// The number of each slice is written where its segment begins; the largest so far is the owner.
ValueId Flats::owners_of(const Segments& segments) {
    const Type elements{Scalar::i64, {segments.total}};
    const ValueId zero = s_.constant(Scalar::i64, 0);
    const ValueId none = s_.emit(View{zero, Broadcast{}, {}}, {elements});
    const ValueId places = map_slices({{Scalar::i64, {}}}, [&](ElementWriter& to, Local slice, const Locals&) {
        const Local some = to.apply(Op::greater, {to.read(segments.counts, {slice}), to.index(0)});
        return Locals{to.apply(Op::select, {some, to.read(segments.starts, {slice}), to.index(-1)})};
    });
    const ValueId numbers = s_.positions(s_.type(segments.counts).shape);
    Scatter mark{{}, {none}, {places}, {numbers}, {}};
    mark.drops = 0;
    const ValueId marked = s_.emit(std::move(mark), {elements});
    return s_.emit(Scan{apply_op(Op::maximum, {Scalar::i64, Scalar::i64}), {}, {marked}, {}}, {elements});
}

}  // namespace sinter::enable
