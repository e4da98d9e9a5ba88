// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/label.hpp"

#include "support/match.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

enum Kind : std::int64_t { none, transpose, slice, broadcast, reshape, gather_source, shift, pad };

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

std::vector<std::int64_t> code_of(const ir::Slice& slice) {
    std::vector<std::int64_t> code{Kind::slice};
    for (ir::SizeId start : slice.start) code.push_back(start.index);
    code.insert(code.end(), slice.step.begin(), slice.step.end());
    return code;
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
    entries_.push_back({identity, nothing, false});
    entries_.push_back({identity, nothing, true});
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
            if (nothing) return identity;
            auto code = code_of(f);
            if (view.fill) code.insert(code.end(), {Kind::pad, view.fill->index});
            return append(identity, atom(std::move(code), false));
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
        [&](const ir::Shift& f) {
            std::vector<std::int64_t> code{Kind::shift, static_cast<std::int64_t>(f.boundary)};
            code.insert(code.end(), f.offset.begin(), f.offset.end());
            return append(identity, atom(std::move(code), false));
        });
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

LabelTable::AtomId LabelTable::atom(std::vector<std::int64_t> code, bool repeats) {
    auto [position, inserted] = atom_ids_.try_emplace(code, static_cast<AtomId>(atoms_.size()));
    if (inserted) atoms_.push_back({std::move(code), repeats});
    return position->second;
}

Label LabelTable::append(Label label, AtomId atom) {
    return atoms_[atom].code[0] == Kind::transpose ? append_transpose(label, atom) : enter(label, atom);
}

/// Result axis k is axis outer[k] of the array between, which is axis inner[outer[k]] of the argument.
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
    if (inserted) entries_.push_back({parent, atom, entries_[parent.index].repeats || atoms_[atom].repeats});
    return position->second;
}

}  // namespace sinter::fuse
