// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/index/index_reads.hpp"

#include "enable/index/guarded_index.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/sizes/linear.hpp"
#include "opt/trim.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace sinter::enable {

using namespace ir;

namespace {

/// Array slot `slot`, read at the map's indices `axes`, one per axis of the array, with offsets added.
struct OwnRead {
    std::size_t slot;
    std::vector<std::size_t> axes = {};
    std::vector<std::int64_t> offset = {};
    std::vector<std::optional<Boundary>> boundary = {};  ///< none where an offset is 0
    bool operator==(const OwnRead&) const = default;
};

class IndexReads : public Rebuilder {
  public:
    std::vector<Wish> take() { return std::move(wishes_); }

  private:
    void binding(Binding&& binding) override {
        auto* map = std::get_if<Map>(&binding.op);
        if (map && map->indexed && !map->captures.arrays.empty()) {
            reads_.clear(), found_.clear();
            auto extent = [&](const Inst& inst) {
                return type(map->captures.arrays[ir::extent_of(inst).slot]).shape[ir::extent_of(inst).axis];
            };
            const std::size_t scalars = map->fn.body.params.size() - map->captures.scalars.size();
            auto beyond = [&](Local param, SizeId of) -> std::optional<std::int64_t> {
                if (param.index < scalars) return std::nullopt;
                const LinearForm form = forms_.of(map->captures.scalars[param.index - scalars]);
                const MaybeForm more = combine(form, -1, forms_.of(of));
                return more && more->is_constant() ? std::optional(more->constant) : std::nullopt;
            };
            NeighbourIndices indices(binding.types[0].rank(), extent, beyond);
            Guards guards(indices);
            find(map->fn.body, *map, binding.types[0].shape, indices, guards);
            if (!reads_.empty()) replace(*map, binding);
        }
        for (std::size_t k = 0; map && k < binding.types.size(); ++k) made_.insert(level() + k);
        forms_.define(binding, level());
        keep(std::move(binding));
    }
    void close() override {
        forms_.forget(level());
        made_.erase(made_.lower_bound(level()), made_.end());
    }

    void find(const Block& block, const Map& map, const Shape& shape, NeighbourIndices& indices, Guards& guards) {
        const std::size_t outside = indices.level();
        indices.enter(block);
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::read) found_.push_back(add(inst, map.captures.arrays[inst.bits], shape, indices, guards));
            for (const Block& nested : inst.blocks) {
                if (inst.op == Op::cond) guards.enter(inst.operands[0], &nested == inst.blocks.data());
                find(nested, map, shape, indices, guards);
                if (inst.op == Op::cond) guards.leave();
            }
            indices.add(inst);
        }
        indices.leave(outside);
    }

    /// The position of the read in reads_, if it is one of these. That a condition keeps a neighbour inside matters where
    /// fusion may compute it on the way, from what makes the array.
    std::optional<std::size_t> add(const Inst& read, ValueId of, const Shape& shape, const NeighbourIndices& indices,
                                   const Guards& guards) {
        const Shape array = type(of).shape;
        const bool is_made = made_.contains(of.index);
        OwnRead own{read.bits};
        Wish wish;
        for (std::size_t k = 0; k < array.size(); ++k) {
            auto at = indices.match(read.operands[k], array[k]);
            if (!at && is_made) at = guards.match(read.operands[k], array[k]);
            if (!at || std::find(own.axes.begin(), own.axes.end(), at->axis) != own.axes.end()) return std::nullopt;
            if (array[k] != shape[at->axis]) wish.equal.emplace_back(array[k], shape[at->axis]);
            own.axes.push_back(at->axis), own.offset.push_back(at->offset), own.boundary.push_back(at->boundary);
        }
        if (!wish.equal.empty()) return wishes_.push_back(std::move(wish)), std::nullopt;
        if (array.empty()) return std::nullopt;
        const auto known = std::find(reads_.begin(), reads_.end(), own);
        const auto place = static_cast<std::size_t>(known - reads_.begin());
        if (known == reads_.end()) reads_.push_back(std::move(own));
        return place;
    }

    void replace(Map& map, const Binding& binding) {
        const std::size_t first = binding.types[0].rank() + map.args.size();
        std::vector<Scalar> added;
        for (const OwnRead& read : reads_) {
            const ValueId array = map.captures.arrays[read.slot];
            added.push_back(type(array).scalar);
            map.args.push_back(view(shifted(array, read, binding), read.axes, binding));
        }
        map.fn = with_arguments(map.fn, first, added);
        drop_unused(map, binding.types[0].rank());
    }

    /// The array with its neighbours in place of its elements; axes of one boundary at a time.
    ValueId shifted(ValueId array, const OwnRead& read, const Binding& binding) {
        for (const Boundary boundary : {Boundary::clamp, Boundary::wrap}) {
            std::vector<std::int64_t> offset = read.offset;
            for (std::size_t k = 0; k < offset.size(); ++k)
                if (read.boundary[k] != boundary) offset[k] = 0;
            if (std::count(offset.begin(), offset.end(), 0) == static_cast<std::ptrdiff_t>(offset.size())) continue;
            Type own = type(array);
            array = append({View{array, Shift{std::move(offset), boundary}}, {std::move(own)}, binding.site});
        }
        return array;
    }

    /// The array seen at the map's index: first the axes of the map that it has, in the map's order, then those that it does
    /// not have.
    ValueId view(ValueId array, const std::vector<std::size_t>& axes, const Binding& binding) {
        Transpose order;
        order.axes.resize(axes.size());
        std::iota(order.axes.begin(), order.axes.end(), std::size_t{0});
        std::sort(order.axes.begin(), order.axes.end(), [&](std::size_t a, std::size_t b) { return axes[a] < axes[b]; });
        if (!std::is_sorted(order.axes.begin(), order.axes.end())) {
            Type turned = type(array);
            for (std::size_t k = 0; k < axes.size(); ++k) turned.shape[k] = type(array).shape[order.axes[k]];
            array = append({View{array, std::move(order)}, {std::move(turned)}, binding.site});
        }
        const Shape& shape = binding.types[0].shape;
        if (axes.size() == shape.size()) return array;
        Broadcast spread{axes};
        std::sort(spread.axes.begin(), spread.axes.end());
        const Scalar scalar = type(array).scalar;
        return append({View{array, std::move(spread)}, {{scalar, shape}}, binding.site});
    }

    /// The function with parameters of these types at `first`, which replace the reads.
    Fn with_arguments(const Fn& fn, std::size_t first, const std::vector<Scalar>& added) const {
        const auto at = static_cast<std::ptrdiff_t>(first);
        std::vector<Scalar> params = fn.body.params;
        params.insert(params.begin() + at, added.begin(), added.end());
        BlockBuilder builder;
        builder.open(params);
        std::vector<Local> substitution;
        for (std::size_t k = 0; k < fn.body.params.size(); ++k) substitution.emplace_back(k < first ? k : k + added.size());
        auto rewrite = [&, next = found_.begin()](BlockBuilder&, const Inst& inst) mutable -> std::optional<Local> {
            if (inst.op != Op::read) return std::nullopt;
            const std::optional<std::size_t> read = *next++;
            return read ? std::optional(Local(first + *read)) : std::nullopt;
        };
        return {fn.arrays, builder.close(inline_block(builder, fn.body, std::move(substitution), rewrite))};
    }

    /// Drops arrays that are no longer read, and the indices if none of them is used any more.
    static void drop_unused(Map& map, std::size_t rank) {
        opt::Used keep = opt::used(map.fn);
        const auto indices = keep.params.begin() + static_cast<std::ptrdiff_t>(rank);
        map.indexed = std::find(keep.params.begin(), indices, true) != indices;
        std::fill(keep.params.begin(), indices, map.indexed);
        std::fill(indices, keep.params.end(), true);
        opt::filter(map.captures.arrays, keep.arrays);
        map.fn = opt::trim(map.fn, keep);
    }

    std::vector<OwnRead> reads_;                     ///< reads of the map being rebuilt
    std::vector<std::optional<std::size_t>> found_;  ///< by read of its function, in order: its position in reads_
    std::set<std::size_t> made_;                     ///< levels of what maps make
    std::vector<Wish> wishes_;
    LinearForms forms_{sizes(), [this](ValueId id) -> const Type& { return type(id); }};
};

}  // namespace

Program index_reads(Program program) { return IndexReads().run(std::move(program)); }

std::vector<Wish> wishes_of_index_reads(const Program& program) {
    IndexReads pass;
    pass.run(program);
    return pass.take();
}

}  // namespace sinter::enable
