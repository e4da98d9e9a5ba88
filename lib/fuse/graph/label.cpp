// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/label.hpp"

#include "fuse/tuning.hpp"
#include "support/match.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

enum Kind : std::int64_t { none, transpose, slice, broadcast, reshape, gather_source, shift, pad };

std::int64_t magnitude(std::int64_t step) {
    return std::abs(std::clamp(step, -LabelTable::far_apart, LabelTable::far_apart));
}

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

bool counts_up(const std::vector<std::int64_t>& code) {
    for (std::size_t k = 1; k < code.size(); ++k)
        if (code[k] != static_cast<std::int64_t>(k) - 1) return false;
    return true;
}

std::vector<std::int64_t> code_of(Kind kind, const std::vector<std::size_t>& numbers) {
    std::vector<std::int64_t> code{kind};
    for (std::size_t number : numbers) code.push_back(static_cast<std::int64_t>(number));
    return code;
}

bool is_within(std::int64_t offset, std::int64_t limit) { return -limit <= offset && offset <= limit; }
bool is_near(std::int64_t offset) { return is_within(offset, tuning::near); }

/// The size to which constants of at most `near` were added or subtracted; -1 if the size is such a constant itself.
std::int64_t without_near(const ir::SizeTable& sizes, ir::SizeId id, std::int64_t near) {
    using Kind = ir::Size::Kind;
    auto is_near_constant = [&](ir::SizeId s) { return sizes[s].kind == Kind::constant && is_within(sizes[s].index, near); };
    while (true) {
        if (is_near_constant(id)) return -1;
        const ir::Size& size = sizes[id];
        if ((size.kind != Kind::add && size.kind != Kind::sub) || !is_near_constant(size.right)) return id.index;
        id = size.left;
    }
}

std::vector<std::int64_t> code_of_reshape(const ir::Type& arg, const ir::Type& result) {
    std::vector<std::int64_t> code{Kind::reshape, static_cast<std::int64_t>(arg.rank())};
    for (ir::SizeId size : arg.shape) code.push_back(size.index);
    for (ir::SizeId size : result.shape) code.push_back(size.index);
    return code;
}

bool changes_nothing(const ir::SizeTable& sizes, const ir::Slice& slice) {
    return std::all_of(slice.start.begin(), slice.start.end(), [&](ir::SizeId s) { return sizes.is_constant(s, 0); }) &&
           std::all_of(slice.step.begin(), slice.step.end(), [](std::int64_t step) { return step == 1; });
}

}  // namespace

LabelTable::LabelTable() {
    AtomId nothing = atom({Kind::none}, true);
    entries_.push_back({identity, nothing, false, false, identity});
    entries_.push_back({identity, nothing, true, false, scalar_read});
}

Label LabelTable::view(const ir::SizeTable& sizes, const ir::View& view, const ir::Type& arg, const ir::Type& result) {
    return match(
        view.function,
        [&](const ir::Transpose& f) {
            auto code = code_of(Kind::transpose, f.axes);
            return counts_up(code) ? identity : append(identity, atom(std::move(code), false));
        },
        [&](const ir::Slice& f) {
            bool nothing = arg.shape == result.shape && changes_nothing(sizes, f);
            return nothing ? identity : append(identity, slice(sizes, view, arg, result));
        },
        [&](const ir::Broadcast& f) {
            if (arg.rank() == 0) return result.rank() == 0 ? identity : scalar_read;
            if (arg.rank() == result.rank()) return identity;
            return broadcast(f);
        },
        [&](const ir::Reshape&) {
            if (arg.shape == result.shape) return identity;
            return append(identity, atom(code_of_reshape(arg, result), false));
        },
        [&](const ir::Shift& f) { return append(identity, shift(f)); });
}

/// The code of a slice: its rank, starts and steps, which axes are read at a single index only, and what it is padded with.
/// In the course, two different indices along an axis of the latter kind have nothing in common, unless it is the last axis,
/// where they may share cache lines.
LabelTable::AtomId LabelTable::slice(const ir::SizeTable& sizes, const ir::View& view, const ir::Type& arg,
                                     const ir::Type& result) {
    const auto& f = std::get<ir::Slice>(view.function);
    std::vector<std::int64_t> code{Kind::slice, static_cast<std::int64_t>(arg.rank())}, course = code;
    bool moves = false;
    auto is_one = [&](std::size_t k) {
        return sizes.is_constant(result.shape[k], 1) && !sizes.is_constant(arg.shape[k], 1);
    };
    for (std::size_t k = 0; k < arg.rank(); ++k) {
        const std::int64_t close = !is_one(k) ? tuning::near : k + 1 == arg.rank() ? tuning::in_a_line : -1;
        code.push_back(f.start[k].index);
        course.push_back(without_near(sizes, f.start[k], close));
        moves = moves || course.back() != -1;
    }
    auto add = [&](std::int64_t number) { code.push_back(number), course.push_back(number); };
    for (std::int64_t step : f.step) add(step), moves = moves || step != 1;
    for (std::size_t k = 0; k < arg.rank(); ++k) add(is_one(k));
    if (view.fill) code.insert(code.end(), {Kind::pad, view.fill->index});
    return atom(std::move(code), moves ? std::move(course) : std::vector<std::int64_t>(), false);
}

LabelTable::AtomId LabelTable::shift(const ir::Shift& f) {
    std::vector<std::int64_t> code{Kind::shift, static_cast<std::int64_t>(f.boundary)}, course = code;
    for (std::int64_t offset : f.offset) code.push_back(offset), course.push_back(is_near(offset) ? 0 : offset);
    if (std::all_of(f.offset.begin(), f.offset.end(), is_near)) course.clear();
    return atom(std::move(code), std::move(course), false);
}

Label LabelTable::broadcast(const ir::Broadcast& function) {
    return append(identity, atom(code_of(Kind::broadcast, function.axes), true));
}

Label LabelTable::gather(Operation operation) {
    return append(identity, atom({Kind::gather_source, operation.index}, false));
}

Label LabelTable::compose(Label outer, Label inner) {
    if (inner == identity || inner == scalar_read) return inner == identity ? outer : inner;
    if (outer == identity) return inner;
    auto [position, inserted] = composed_.try_emplace(pair_key(outer.index, inner.index));
    if (!inserted) return position->second;
    std::vector<AtomId> chain;
    Label start = outer;
    for (Label l = inner; l != identity; l = entries_[l.index].parent) {
        if (l == scalar_read) {
            start = scalar_read;
            break;
        }
        chain.push_back(entries_[l.index].atom);
    }
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) start = append(start, *step);
    return composed_[pair_key(outer.index, inner.index)] = start;
}

LabelTable::AtomId LabelTable::atom(std::vector<std::int64_t> code, std::vector<std::int64_t> course, bool repeats) {
    auto [position, inserted] = atom_ids_.try_emplace(code, static_cast<AtomId>(atoms_.size()));
    if (inserted) atoms_.push_back({std::move(code), std::move(course), repeats});
    return position->second;
}

Label LabelTable::append(Label label, AtomId atom) {
    return atoms_[atom].code[0] == Kind::transpose ? append_transpose(label, atom) : enter(label, atom);
}

/// Result axis k is axis outer[k] of the intermediate array, which is axis inner[outer[k]] of the argument.
Label LabelTable::append_transpose(Label label, AtomId inner) {
    const Entry& last = entries_[label.index];
    if (label == identity || label == scalar_read || atoms_[last.atom].code[0] != Kind::transpose)
        return enter(label, inner);
    std::vector<std::int64_t> code = atoms_[last.atom].code;
    for (std::size_t k = 1; k < code.size(); ++k) code[k] = atoms_[inner].code[1 + static_cast<std::size_t>(code[k])];
    Label parent = last.parent;
    return counts_up(code) ? parent : enter(parent, atom(std::move(code), false));
}

Label LabelTable::enter(Label parent, AtomId atom) {
    auto [position, inserted] = ids_.try_emplace(pair_key(parent.index, atom), Label(entries_.size()));
    const Label entered = position->second;
    if (!inserted) return entered;
    const Entry before = entries_[parent.index];
    const bool gathers = before.gathers || atoms_[atom].code[0] == Kind::gather_source;
    entries_.push_back({parent, atom, before.repeats || atoms_[atom].repeats, gathers, entered});
    const Label course = course_of(parent, atom);
    entries_[entered.index].course = course;
    return entered;
}

Label LabelTable::course_of(Label parent, AtomId at) {
    const Label before = entries_[parent.index].course;
    const Atom own = atoms_[at];
    if (own.course.empty()) return before;
    return append(before, own.course == own.code ? at : atom(own.course, own.repeats));
}

/// Goes from the array's last axis back towards the reader's.
std::int64_t LabelTable::stride(Label label, std::size_t rank) const {
    std::size_t axis = rank - 1;
    std::int64_t stride = 1;
    for (; rank > 0 && label != identity && label != scalar_read; label = entries_[label.index].parent) {
        const std::vector<std::int64_t>& code = atoms_[entries_[label.index].atom].code;
        auto number = [&](std::size_t k) { return code[1 + k]; };
        switch (code[0]) {
            case Kind::slice:
                stride = std::min(far_apart, stride * magnitude(number(1 + rank + axis)));
                if (rank > 1 && number(1 + 2 * rank + axis) == 1) return far_apart;
                break;
            case Kind::transpose:
                axis = static_cast<std::size_t>(std::find(code.begin() + 1, code.end(), static_cast<std::int64_t>(axis)) -
                                                code.begin() - 1);
                break;
            case Kind::broadcast:
                return stride;
            case Kind::reshape:
                if (number(rank) != code.back()) return stride;
                rank = code.size() - 2 - rank, axis = rank - 1;
                break;
            case Kind::gather_source:
                return rank == 1 ? far_apart : stride;
            default:
                break;
        }
    }
    return stride;
}

namespace {

using Code = std::vector<std::int64_t>;
using MaybePoint = std::optional<ir::AffinePoint>;

MaybePoint through_transpose(const Code& code, const ir::AffinePoint& point) {
    ir::AffinePoint source(point.size());
    for (std::size_t k = 0; k < point.size(); ++k) source[static_cast<std::size_t>(code[1 + k])] = point[k];
    return source;
}

MaybePoint through_slice(const Code& code, ir::AffinePoint point, ir::LinearForms& forms) {
    const std::size_t rank = point.size();
    if (code.size() > 2 + 3 * rank) return std::nullopt;  // padded: outside it there are other elements
    for (std::size_t k = 0; k < rank; ++k) {
        const ir::SizeId start(static_cast<std::size_t>(code[2 + k]));
        const std::int64_t step = code[2 + rank + k];
        const ir::MaybeForm moved = ir::combine(forms.of(start), step, point[k].start);
        const ir::MaybeForm factor = ir::product(ir::LinearForm{{}, step}, ir::LinearForm{{}, point[k].step});
        if (!moved || !factor) return std::nullopt;
        point[k].start = *moved, point[k].step = factor->constant;
    }
    return point;
}

MaybePoint through_broadcast(const Code& code, const ir::AffinePoint& point) {
    ir::AffinePoint source;
    for (std::size_t k = 1; k < code.size(); ++k) source.push_back(point[static_cast<std::size_t>(code[k])]);
    return source;
}

/// Passes a reshape whose shapes differ only in axes of extent 1.
MaybePoint through_reshape(const Code& code, const ir::AffinePoint& point, const ir::SizeTable& sizes) {
    const auto rank = static_cast<std::size_t>(code[1]);
    auto extent = [&](std::size_t k) { return ir::SizeId(static_cast<std::size_t>(code[2 + k])); };
    ir::AffinePoint source;
    std::size_t next = rank;  // the extents of the result follow those of the argument
    auto skip_ones = [&] {
        while (next < rank + point.size() && sizes.is_constant(extent(next), 1)) ++next;
    };
    for (std::size_t k = 0; k < rank; ++k) {
        if (sizes.is_constant(extent(k), 1)) {
            source.emplace_back();
            continue;
        }
        skip_ones();
        if (next == rank + point.size() || extent(next) != extent(k)) return std::nullopt;
        source.push_back(point[next++ - rank]);
    }
    skip_ones();
    return next == rank + point.size() ? MaybePoint(std::move(source)) : std::nullopt;
}

}  // namespace

MaybePoint LabelTable::affine(Label label, std::size_t rank, const ir::SizeTable& sizes, ir::LinearForms& forms) const {
    std::vector<AtomId> chain;
    for (; label != identity && label != scalar_read; label = entries_[label.index].parent)
        chain.push_back(entries_[label.index].atom);
    if (label == scalar_read) return std::nullopt;
    MaybePoint point(std::in_place);
    for (std::size_t axis = 0; axis < rank; ++axis) point->push_back({{}, 1, axis});
    for (auto atom = chain.rbegin(); point && atom != chain.rend(); ++atom) {
        const Code& code = atoms_[*atom].code;
        switch (code[0]) {
            case Kind::transpose:
                point = through_transpose(code, *point);
                break;
            case Kind::slice:
                point = through_slice(code, std::move(*point), forms);
                break;
            case Kind::broadcast:
                point = through_broadcast(code, *point);
                break;
            case Kind::reshape:
                point = through_reshape(code, *point, sizes);
                break;
            default:
                point.reset();
        }
    }
    return point;
}

}  // namespace sinter::fuse
