// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/print.hpp"

#include "ir/text/print_function.hpp"
#include "ir/text/print_size.hpp"
#include "support/match.hpp"

namespace sinter::ir {

namespace {

/// Calls visit(SizeId) for every size in the text of `body`, in the order of the text.
template <class Visit>
void for_each_size_in_text(const Body& body, Visit visit) {
    auto shape = [&](const Type& type) {
        for (SizeId size : type.shape) visit(size);
    };
    for (const Guard& guard : body.guards) visit(guard.left), visit(guard.right);
    for (const Type& type : body.params) shape(type);
    for (const Binding& binding : body.bindings) {
        for (const Type& type : binding.types) shape(type);
        for_each_size(binding.op, visit);
        if (const auto* bodies = bodies_of(binding.op))
            for (const Body& nested : *bodies) for_each_size_in_text(nested, visit);
    }
}

class Printer {
  public:
    explicit Printer(const Program& program) : program_(program), sizes_(program.sizes, out_, true) {}

    std::string take() {
        out_.reserve(256 + 64 * program_.body.bindings.size());
        if (program_.size_arguments > 0) out_ += "arguments ", number(program_.size_arguments), out_ += '\n';
        for_each_size_in_text(program_.body, [&](SizeId size) { sizes_.use(size); });
        body(program_.body, 0, 0, "input");
        return std::move(out_);
    }

  private:
    void number(std::size_t value) { append_number(out_, static_cast<std::int64_t>(value)); }
    void value(std::size_t id) { out_ += '%', number(id); }

    void append(const Guard& guard) {
        out_ += "guard ", sizes_.append(guard.left), out_ += " = ", sizes_.append(guard.right), out_ += ' ';
        quoted(guard.message), out_ += '\n';
    }

    void quoted(const std::string& text) {
        out_ += '"';
        for (char c : text) {
            if (c == '"' || c == '\\') out_ += '\\';
            if (c == '\n')
                out_ += "\\n";
            else
                out_ += c;
        }
        out_ += '"';
    }

    template <class Items, class Append>
    void list(const char* open, const Items& items, const char* close, Append append) {
        out_ += open;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) out_ += ", ";
            append(items[i]);
        }
        out_ += close;
    }
    void values(const char* open, const std::vector<ValueId>& ids, const char* close) {
        list(open, ids, close, [&](ValueId id) { value(id.index); });
    }
    void axes(const std::vector<std::size_t>& axes) {
        list("[", axes, "]", [&](std::size_t axis) { number(axis); });
    }

    void typed_values(std::size_t level, const std::vector<Type>& types) {
        for (std::size_t i = 0; i < types.size(); ++i) {
            if (i > 0) out_ += ", ";
            value(level + i), out_ += " : ", sizes_.append(types[i]);
        }
    }

    void body(const Body& body, std::size_t level, std::size_t indent, const char* param) {
        auto line = [&] { out_.append(indent, ' '); };
        for (const Guard& guard : body.guards) line(), append(guard);
        for (const Type& type : body.params) {
            line(), value(level++), out_ += " : ", sizes_.append(type), out_ += " = ", out_ += param, out_ += '\n';
        }
        for (const Binding& binding : body.bindings) {
            line(), typed_values(level, binding.types), out_ += " = ";
            operation(binding.op, level, indent);
            out_ += '\n';
            level += binding.types.size();
        }
        line(), out_ += "return", values(body.results.empty() ? "" : " ", body.results, ""), out_ += '\n';
    }

    void bodies(const std::vector<Body>& nested, std::size_t level, std::size_t indent) {
        for (const Body& each : nested) {
            out_ += " {\n";
            body(each, level, indent + 2, "param");
            out_.append(indent, ' '), out_ += '}';
        }
    }

    /// (args; scalars; arrays), trailing empty lists omitted.
    void arguments(const std::vector<ValueId>& args, const Captures& captures) {
        values("(", args, "");
        if (!captures.scalars.empty() || !captures.arrays.empty()) values("; ", captures.scalars, "");
        if (!captures.arrays.empty()) values("; ", captures.arrays, "");
        out_ += ") ";
    }

    void operation(const ArrayOp& op, std::size_t level, std::size_t indent) {
        out_ += name_of(op);
        out_ += ' ';
        match(
            op, [&](const Map& map) { arguments(map.args, map.captures), append_fn(out_, map.fn, indent); },
            [&](const Fold& fold) {
                if (fold.commutative) out_ += "commutative ";
                axes(fold.axes), out_ += ' ', arguments(fold.args, fold.captures);
                values("from (", fold.inits, ") ");
                append_fn(out_, fold.op, indent);
            },
            [&](const View& view) {
                index_function(view.function), value(view.arg.index);
                if (view.fill) out_ += " else ", value(view.fill->index);
            },
            [&](const Gather& gather) { values("(", gather.indices, ") ("), values("", gather.sources, ")"); },
            [&](const Force& force) { values(force.again ? "again (" : "(", force.args, ")"); },
            [&](const Cond& cond) { value(cond.condition.index), bodies(cond.bodies, level, indent); },
            [&](const Loop& loop) {
                if (loop.segment) out_ += "segment ";
                if (loop.count) value(loop.count->index), out_ += ' ';
                values("(", loop.inits, ")");
                if (!loop.changing.empty())
                    list(" changing [", loop.changing, "]",
                         [&](StateAxis each) { number(each.state), out_ += ':', number(each.axis); });
                bodies(loop.bodies, level, indent);
            },
            [&](const Scan& scan) { scan_operation(scan, indent); },
            [&](const Compact& compact) { value(compact.mask.index), values(" (", compact.args, ")"); },
            [&](const Scatter& scatter) { scatter_operation(scatter, indent); },
            [&](const Sort& sort) {
                if (sort.descending) out_ += "descending ";
                number(sort.keys), values(" (", sort.args, ")");
            },
            [&](const Foreign& foreign) {
                quoted(foreign.name), out_ += ' ';
                number(foreign.function);
                if (foreign.rule) out_ += " rule ", number(*foreign.rule), out_ += " by ", axes(foreign.by);
                values(" (", foreign.args, ")");
            },
            [&](const Vmap& vmap) { values("(", vmap.args, ")"), bodies(vmap.bodies, level, indent); },
            [&](const Derivative& derivative) {
                values("(", derivative.args, ") by "), axes(derivative.by);
                values(" seeds (", derivative.seeds, ")"), bodies(derivative.bodies, level, indent);
            },
            [&](const Custom& custom) { values("(", custom.args, ")"), bodies(custom.bodies, level, indent); },
            [&](const Rows& rows) {
                if (rows.kind == Rows::Kind::exclusive) out_ += "exclusive ";
                if (rows.reverse) out_ += "reverse ";
                values("(", rows.args, ") "), values("from (", rows.inits, ")"), bodies(rows.bodies, level, indent);
            });
    }

    void scan_operation(const Scan& scan, std::size_t indent) {
        if (scan.exclusive) out_ += "exclusive ";
        if (scan.reverse) out_ += "reverse ";
        if (scan.totals) out_ += "totals ";
        out_ += '[', number(scan.axis), out_ += "] ", arguments(scan.args, scan.captures);
        values("from (", scan.inits, ") ");
        append_fn(out_, scan.op, indent);
    }

    void scatter_operation(const Scatter& scatter, std::size_t indent) {
        if (scatter.drops) out_ += "drops ";
        if (scatter.drops && *scatter.drops > 0) number(*scatter.drops), out_ += ' ';
        values("(", scatter.dests, ") at ("), values("", scatter.indices, ") ");
        if (!scatter.op) return values("(", scatter.values, ")");
        arguments(scatter.values, scatter.captures);
        append_fn(out_, *scatter.op, indent);
    }

    void index_function(const IndexFunction& function) {
        match(
            function, [&](const Transpose& transpose) { axes(transpose.axes); },
            [&](const Slice& slice) {
                out_ += '[';
                for (std::size_t i = 0; i < slice.start.size(); ++i) {
                    if (i > 0) out_ += ", ";
                    sizes_.append(slice.start[i]), out_ += ':', append_number(out_, slice.step[i]);
                }
                out_ += ']';
            },
            [&](const Broadcast& broadcast) { axes(broadcast.axes); }, [](const Reshape&) {},
            [&](const Shift& shift) {
                constexpr const char* names[] = {"clamp ", "wrap ", "symmetric ", "reflect "};
                out_ += names[static_cast<std::size_t>(shift.boundary)];
                list("[", shift.offset, "]", [&](std::int64_t offset) { append_number(out_, offset); });
            });
        if (!std::holds_alternative<Reshape>(function)) out_ += ' ';
    }

    const Program& program_;
    std::string out_;
    SizePrinter sizes_;
};

}  // namespace

std::string print(const Program& program) { return Printer(program).take(); }

std::string print(const SizeTable& sizes, const Type& type) {
    std::string out;
    SizePrinter(sizes, out, false).append(type);
    return out;
}

std::string print(const SizeTable& sizes, SizeId size) {
    std::string out;
    SizePrinter(sizes, out, false).append(size);
    return out;
}

}  // namespace sinter::ir
