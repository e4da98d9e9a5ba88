// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/whole_traffic.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::fuse {

namespace {

/// The bytes moved per element by a sort whose rows do not fit in any cache.
class SortPasses {
  public:
    SortPasses(const std::vector<double>& columns, std::size_t keys, double row) : columns_(columns), keys_(keys) {
        index_ = row <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
    }

    Traffic count() const {
        if (columns_.size() == 1) return radix(columns_[0], 0, true);
        if (keys_ == 1 && columns_.size() == 2 && columns_[1] >= 4) return radix(columns_[0], columns_[1], true);
        return indexed();
    }

  private:
    /// Each pass reads the keys twice, the first time to count digits; before all passes, keys are read to see in which
    /// digits they differ.
    static Traffic radix(double key, double payload, bool reads_payload) {
        const double passes = std::ceil(8 * key / tuning::sort_digit_bits);
        return {key + 2 * key * passes + payload * (reads_payload ? passes : passes - 1), (key + payload) * passes};
    }

    /// Positions are sorted by one key after the other, from the last to the first; then they say where the columns go.
    Traffic indexed() const {
        Traffic total;
        for (std::size_t c = 0; c < keys_; ++c) {
            const bool is_last = c + 1 == keys_;
            total += radix(columns_[c], index_, !is_last);
            if (!is_last) total += {columns_[c] + index_, columns_[c]};
        }
        for (std::size_t c = 1; c < columns_.size(); ++c) total += {columns_[c] + index_, columns_[c]};
        return total;
    }

    const std::vector<double>& columns_;
    std::size_t keys_;
    double index_;
};

Traffic sort_traffic(const DepGraph& graph, Operation op, const ir::Sort& sort, const Extents& extents) {
    const ir::Shape& shape = graph.types[sort.args[0].index].shape;
    std::vector<double> columns;
    double all = 0;
    for (ir::ValueId id : sort.args) all += columns.emplace_back(detail::size_of(graph.types[id.index].scalar));
    const double row = extents.elements({shape.back()}), elements = extents.elements(shape);
    const ir::Shape& made = graph.binding(op).types[0].shape;
    if (made != shape) return {elements * all, extents.elements(made) * all};  // one pass over what may be among the first
    if (row < tuning::sort_short_row || row * all <= tuning::cached_row) return {elements * all, elements * all};
    const Traffic each = SortPasses(columns, sort.keys, row).count();
    return {elements * each.read, elements * each.written};
}

}  // namespace

Traffic barrier_traffic(const DepGraph& graph, Operation op, const Extents& extents) {
    const ir::Binding& binding = graph.binding(op);
    if (const auto* sort = std::get_if<ir::Sort>(&binding.op)) return sort_traffic(graph, op, *sort, extents);
    Traffic result;
    if (const auto* foreign = std::get_if<ir::Foreign>(&binding.op)) {
        for (ir::ValueId id : foreign->args) result.read += extents.bytes(graph.types[id.index]);
        for (const ir::Type& type : binding.types) result.written += extents.bytes(type);
    }
    return result;
}

namespace {

/// True if the last index is computed by counting where it is needed, as for slices.
bool counts_up(const DepGraph& graph, const ir::Scatter& scatter) {
    const std::size_t level = scatter.indices.back().index;
    const auto next = std::upper_bound(graph.levels.begin(), graph.levels.end(), level);
    if (next == graph.levels.begin() || level < graph.levels[0]) return false;
    const Operation producer(static_cast<std::size_t>(next - graph.levels.begin() - 1));
    const auto* map = std::get_if<ir::Map>(&graph.binding(producer).op);
    return map && map->args.empty() && graph.roles[producer.index] == Role::transparent;
}

}  // namespace

Traffic update_traffic(const DepGraph& graph, Operation op, const Extents& extents) {
    const ir::Scatter& scatter = *graph.scatter(op);
    const bool is_dense = counts_up(graph, scatter);
    const double points = extents.elements(graph.points(op));
    Traffic result;
    for (ir::ValueId dest : scatter.dests) {
        const ir::Type& type = graph.types[dest.index];
        const auto line = static_cast<double>(tuning::line_bytes), each = is_dense ? detail::size_of(type.scalar) : line;
        const double all = extents.bytes(type), touched = std::min(all, std::max(line, points * each));
        const bool is_given = dest.index < graph.base + (graph.base == 0 ? graph.body->params.size() : 0);
        result += is_given ? Traffic{all, all} : Traffic{touched, touched};
    }
    return result;
}

}  // namespace sinter::fuse
