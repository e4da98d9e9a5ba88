// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/notation.hpp"

#include "fuse/rules/transparent.hpp"
#include "fuse/tuning.hpp"
#include "ir/constant.hpp"
#include "ir/sizes/size_parts.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sinter::fuse {

using ir::ValueId;

namespace {

using Step = std::vector<std::int64_t>;

Step step(StepKind kind, const std::vector<std::size_t>& numbers) {
    Step s{kind};
    for (std::size_t n : numbers) s.push_back(static_cast<std::int64_t>(n));
    return s;
}

void add_sizes(Step& s, const ir::Shape& shape) {
    for (ir::SizeId size : shape) s.push_back(size.index);
}

Traversal after(Traversal d, Step s) {
    if (s[0] == transpose_step) {
        if (!d.empty() && d.back()[0] == transpose_step) {
            for (std::size_t k = 1; k < s.size(); ++k) d.back()[k] = s[1 + static_cast<std::size_t>(d.back()[k])];
            s = d.back();
            d.pop_back();
        }
        Step identity(s.size());
        std::iota(identity.begin(), identity.end(), -1);
        if (std::equal(s.begin() + 1, s.end(), identity.begin() + 1)) return d;
    }
    d.push_back(std::move(s));
    return d;
}

/// Never destroyed: threads may still be fusing when the process ends.
const Traversal& scalar_order() {
    static const auto& order = *new Traversal{{scalar_step}};
    return order;
}

bool is_small(std::int64_t offset) { return -tuning::near <= offset && offset <= tuning::near; }

}  // namespace

bool repeats(const Traversal& d) {
    return std::any_of(d.begin(), d.end(), [](const Step& s) { return s[0] == broadcast_step || s[0] == scalar_step; });
}

Notation::Notation(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer)
    : program_(program),
      body_(body),
      base_(outer.size()),
      types_(ir::types_of(body, outer)),
      producers_(types_.size()),
      transparent_(transparent_operations(body, outer.size())) {
    std::size_t level = outer.size() + body.params.size();
    for (std::size_t i = 0; i < body.bindings.size(); ++i) {
        levels_.push_back(level);
        for (std::size_t k = 0; k < body.bindings[i].types.size(); ++k) producers_[level++] = Operation(i);
    }
}

bool Notation::is_constant(ValueId x) const { return ir::constant_of(body_, x, base_).has_value(); }

bool Notation::stands_alone(Operation op) const {
    return match(
        binding(op).op, [](const ir::Map&) { return false; }, [](const ir::Fold&) { return false; },
        [](const ir::View&) { return false; }, [](const ir::Gather&) { return false; },
        [](const ir::Scan&) { return false; }, [](const ir::Compact&) { return false; },
        [](const ir::Scatter&) { return false; }, [](const auto&) { return true; });
}

std::string Notation::name(Operation op) const {
    return fmt::format("{} %{}", ir::name_of(binding(op).op), levels_[op.index]);
}

Traversal Notation::element_order(const ir::Fold& fold, const Traversal& d) const {
    Step reduce = step(reduce_step, fold.axes);
    add_sizes(reduce, type(fold.args[0]).shape);
    return after(d, std::move(reduce));
}

/// A start of a slice without the offset that is added to it; -1 if it is nothing but an offset.
std::int64_t Notation::without_offset(std::int64_t start) const {
    auto is_offset = [](const ir::Size& s) { return s.kind == ir::Size::Kind::constant && is_small(s.index); };
    const ir::Size& size = program_.sizes[ir::SizeId(static_cast<std::size_t>(start))];
    if (is_offset(size)) return -1;
    const bool is_sum = size.kind == ir::Size::Kind::add || size.kind == ir::Size::Kind::sub;
    return is_sum && is_offset(program_.sizes[size.right]) ? without_offset(size.left.index) : start;
}

Traversal Notation::course(const Traversal& d) const {
    Traversal result;
    for (Step s : d) {
        if (s[0] == shift_step) {
            std::replace_if(s.begin() + 2, s.end(), is_small, 0);
            if (std::all_of(s.begin() + 2, s.end(), [](std::int64_t offset) { return offset == 0; })) continue;
        } else if (s[0] == slice_step) {
            const auto starts = s.begin() + 2, steps = starts + s[1];
            std::transform(starts, steps, starts, [&](std::int64_t start) { return without_offset(start); });
            s.erase(steps + s[1], s.end());  // drops what it is padded with
            const bool moves = std::any_of(s.begin() + 2, s.begin() + 2 + s[1], [](auto start) { return start != -1; });
            if (!moves && std::all_of(s.end() - s[1], s.end(), [](std::int64_t by) { return by == 1; })) continue;
        }
        result = after(std::move(result), std::move(s));
    }
    return result;
}

/// Collects I for one operation, reading through transparent operations.
class Notation::Reader {
  public:
    explicit Reader(const Notation& n) : n_(n) {}

    void operation(Operation op, const Traversal& d) {
        if (!visited_.emplace(op, d).second) return;
        const ir::Binding& b = n_.binding(op);
        match(
            b.op,
            [&](const ir::Map& map) {
                all(map.args, d);
                scalars(map.captures.scalars, b.types[0].rank() == 0 ? d : scalar_order());
                for (std::size_t slot = 0; slot < map.fn.arrays.size(); ++slot)
                    if (map.fn.arrays[slot].once)
                        one(map.captures.arrays[slot], after(d, {gather_step, op.index}));
                    else
                        read_anywhere(map.captures.arrays[slot]);
            },
            [&](const ir::Fold& fold) { elements(fold, n_.element_order(fold, d)); },
            [&](const ir::Scan& scan) {
                all(scan.args, d);
                scalars(scan.inits);
                captured(scan.captures, scalar_order());
            },
            [&](const ir::Compact& compact) {
                one(compact.mask, d);
                all(compact.args, d);
            },
            [&](const ir::Scatter& scatter) {
                for (ValueId x : scatter.dests) whole(x);
                all(scatter.indices, d);
                all(scatter.values, d);
                captured(scatter.captures, n_.type(scatter.indices[0]).rank() == 0 ? d : scalar_order());
            },
            [&](const ir::View& view) {
                one(view.arg, through(view, b.types[0], d));
                if (view.fill) one(*view.fill, b.types[0].rank() == 0 ? d : scalar_order());
            },
            [&](const ir::Gather& gather) {
                all(gather.indices, d);
                all(gather.sources, after(d, {gather_step, op.index}));
            },
            [&](const auto& alone)
                requires requires { alone.bodies; }
                         {
                             for (ValueId x : ir::operands(b.op)) whole(x);
                             for (const ir::Body& nested : alone.bodies) body(nested, n_.level(op));
                         },
                         [&](const auto& alone)
                             requires(!requires { alone.bodies; })
            {
                for (ValueId x : ir::operands(b.op)) whole(x);
            });
        sizes(b, n_.level(op));
    }

    void elements(const ir::Fold& fold, const Traversal& d) {
        all(fold.args, d);
        scalars(fold.inits);
        captured(fold.captures, scalar_order());
    }

    std::set<Input> take() { return std::move(inputs_); }

  private:
    void whole(ValueId x) { inputs_.insert({x, std::nullopt}); }
    void one(ValueId x, const Traversal& d) {
        Operation producer = n_.producer(x);
        if (producer.valid() && n_.is_transparent(producer))
            operation(producer, d);
        else
            inputs_.insert({x, d});
    }
    void all(const std::vector<ValueId>& xs, const Traversal& d) {
        for (ValueId x : xs) one(x, d);
    }
    /// Reads variables of rank 0, or with one value per line.
    void scalars(const std::vector<ValueId>& xs, const Traversal& order = scalar_order()) {
        for (ValueId x : xs) {
            if (n_.type(x).rank() == 0)
                one(x, order);
            else
                read_anywhere(x);
        }
    }
    void captured(const ir::Captures& captures, const Traversal& order) {
        scalars(captures.scalars, order);
        for (ValueId x : captures.arrays) read_anywhere(x);
    }
    /// Reads x at computed indices: what x is made of is read in no order.
    void read_anywhere(ValueId x) {
        Operation producer = n_.producer(x);
        if (!producer.valid() || !n_.is_transparent(producer)) return whole(x);
        for (const Input& p : n_.inputs(producer, {})) whole(p.x);
    }

    Traversal through(const ir::View& view, const ir::Type& result, const Traversal& d) const {
        const ir::Type& arg = n_.type(view.arg);
        return match(
            view.function, [&](const ir::Transpose& f) { return after(d, step(transpose_step, f.axes)); },
            [&](const ir::Slice& f) {
                bool same = arg.shape == result.shape;
                Step s{slice_step, static_cast<std::int64_t>(arg.rank())};
                add_sizes(s, f.start);
                s.insert(s.end(), f.step.begin(), f.step.end());
                for (ir::SizeId start : f.start) same = same && n_.program_.sizes.is_constant(start, 0);
                same = same && std::all_of(f.step.begin(), f.step.end(), [](std::int64_t by) { return by == 1; });
                if (view.fill) s.insert(s.end(), {pad_step, view.fill->index});
                return same ? d : after(d, std::move(s));
            },
            [&](const ir::Broadcast& f) {
                if (arg.rank() == result.rank()) return d;
                if (auto point = point_of_element(f, arg.shape, result.rank(), d)) return *std::move(point);
                return arg.rank() == 0 ? scalar_order() : after(d, step(broadcast_step, f.axes));
            },
            [&](const ir::Reshape&) {
                if (arg.shape == result.shape) return d;
                Step s{reshape_step, static_cast<std::int64_t>(arg.rank())};
                add_sizes(s, arg.shape);
                add_sizes(s, result.shape);
                return after(d, std::move(s));
            },
            [&](const ir::Shift& f) {
                Step s{shift_step, static_cast<std::int64_t>(f.boundary)};
                s.insert(s.end(), f.offset.begin(), f.offset.end());
                return after(d, std::move(s));
            });
    }

    /// If the broadcast of an array of this shape leads from an element of a fold to the point it is folded for: the steps
    /// up to that point. Slices on the way may choose among the elements of a point.
    std::optional<Traversal> point_of_element(const ir::Broadcast& f, const ir::Shape& shape, std::size_t rank,
                                              const Traversal& d) const {
        auto last = d.end();
        while (last != d.begin() && keeps(*(last - 1), f.axes, rank)) --last;
        const bool sliced = last != d.end();
        if (last == d.begin() || (*--last)[0] != reduce_step || f.axes.empty()) return std::nullopt;
        const Step& reduce = *last;  // axes, then the extents
        if (f.axes.size() + reduce.size() - 1 - rank != rank) return std::nullopt;
        const auto reduced = reduce.begin() + 1, extents = reduce.end() - static_cast<std::ptrdiff_t>(rank);
        for (std::size_t k = 0; k < f.axes.size(); ++k) {
            const auto axis = static_cast<std::int64_t>(f.axes[k]);
            if (std::find(reduced, extents, axis) != extents) return std::nullopt;
            if (sliced && extents[axis] != static_cast<std::int64_t>(shape[k].index)) return std::nullopt;
        }
        return Traversal(d.begin(), last);
    }

    /// True for a slice that neither moves nor pads along these axes.
    bool keeps(const Step& s, const std::vector<std::size_t>& axes, std::size_t rank) const {
        if (s[0] != slice_step || s.size() != 2 + 2 * rank) return false;
        return std::all_of(axes.begin(), axes.end(), [&](std::size_t axis) {
            const auto start = ir::SizeId(static_cast<std::size_t>(s[2 + axis]));
            return n_.program_.sizes.is_constant(start, 0) && s[2 + rank + axis] == 1;
        });
    }

    void size(ir::SizeId id, std::size_t level) {
        ir::for_each_value(n_.program_.sizes, id, [&](ValueId value) {
            if (value.index < level) whole(value);
        });
    }
    void sizes(const ir::Binding& b, std::size_t level) {
        for (const ir::Type& type : b.types)
            for (ir::SizeId id : type.shape) size(id, level);
        ir::for_each_size(b.op, [&](ir::SizeId id) { size(id, level); });
    }
    /// Collects what a nested body uses of the variables around it.
    void body(const ir::Body& nested, std::size_t level) {
        auto outer = [&](ValueId x) {
            if (x.index < level) whole(x);
        };
        for (const ir::Binding& b : nested.bindings) {
            for (ValueId x : ir::operands(b.op)) outer(x);
            sizes(b, level);
            if (const auto* bodies = ir::bodies_of(b.op))
                for (const ir::Body& inner : *bodies) body(inner, level);
        }
        for (ValueId x : nested.results) outer(x);
    }

    const Notation& n_;
    std::set<Input> inputs_;
    std::set<std::pair<Operation, Traversal>> visited_;
};

std::set<Input> Notation::inputs(Operation op, const Traversal& d) const {
    Reader reader(*this);
    reader.operation(op, d);
    return reader.take();
}

std::set<Input> Notation::inputs_of_elements(Operation fold, const Traversal& d) const {
    Reader reader(*this);
    reader.elements(std::get<ir::Fold>(binding(fold).op), d);
    return reader.take();
}

}  // namespace sinter::fuse
