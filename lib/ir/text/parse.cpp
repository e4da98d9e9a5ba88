// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/parse.hpp"

#include "ir/text/parse_size.hpp"

#include <fmt/format.h>

namespace sinter::ir {

namespace {

class Parser {
  public:
    explicit Parser(std::string_view text) : lexer_(text), sizes_(lexer_, program_.sizes) {}

    Program take() {
        if (lexer_.accept("arguments")) program_.size_arguments = lexer_.natural();
        while (lexer_.accept("size")) sizes_.declaration();
        program_.body = body("input");
        if (!lexer_.at("")) lexer_.fail("expected nothing more");
        return std::move(program_);
    }

  private:
    Guard guard() {
        Guard guard;
        guard.left = sizes_.size();
        lexer_.expect("=");
        guard.right = sizes_.size();
        guard.message = lexer_.quoted();
        return guard;
    }

    ValueId use() {
        if (!lexer_.at("%")) lexer_.fail("expected a value");
        Lexer at = lexer_;
        lexer_.take();
        std::size_t id = lexer_.natural();
        if (id >= level_) at.fail("this value is not in scope");
        return ValueId(id);
    }

    std::vector<ValueId> values_until(std::initializer_list<std::string_view> closers) {
        auto closed = [&] {
            for (std::string_view closer : closers)
                if (lexer_.at(closer)) return true;
            return false;
        };
        std::vector<ValueId> ids;
        if (closed()) return ids;
        do ids.push_back(use());
        while (lexer_.accept(","));
        if (!closed()) lexer_.fail("expected ',' or the end of the list");
        return ids;
    }

    std::vector<ValueId> values() {
        lexer_.expect("(");
        std::vector<ValueId> ids = values_until({")"});
        lexer_.expect(")");
        return ids;
    }

    std::vector<std::size_t> axes() {
        std::vector<std::size_t> axes;
        bracketed([&] { axes.push_back(lexer_.natural()); });
        return axes;
    }

    /// [one, one, ..]
    template <class One>
    void bracketed(One one) {
        lexer_.expect("[");
        while (!lexer_.at("]")) {
            one();
            if (!lexer_.at("]")) lexer_.expect(",");
        }
        lexer_.expect("]");
    }

    /// %1 : f32[n0], %2 : i64 =
    std::vector<Type> definitions() {
        std::vector<Type> types;
        do {
            lexer_.expect("%");
            if (lexer_.peek() != std::to_string(level_ + types.size()))
                lexer_.fail(fmt::format("expected %{}, the next value", level_ + types.size()));
            lexer_.take();
            lexer_.expect(":");
            types.push_back(sizes_.type());
        } while (lexer_.accept(","));
        lexer_.expect("=");
        return types;
    }

    Body body(std::string_view param) {
        if (++depth_ > deepest_nesting) lexer_.fail("bodies are nested too deeply");
        std::size_t outer = level_;
        Body body;
        while (lexer_.accept("guard")) body.guards.push_back(guard());
        while (!lexer_.at("return")) {
            std::vector<Type> types = definitions();
            std::size_t count = types.size();
            if (types.size() == 1 && body.bindings.empty() && lexer_.accept(param)) {
                body.params.push_back(std::move(types[0]));
            } else {
                ArrayOp op = operation();
                body.bindings.push_back({std::move(op), std::move(types), {}});
            }
            level_ += count;
        }
        lexer_.expect("return");
        if (lexer_.at("%")) body.results = values_until({"}", ""});
        level_ = outer;
        --depth_;
        return body;
    }

    std::vector<Body> bodies(std::size_t count) {
        std::vector<Body> bodies;
        for (std::size_t i = 0; i < count; ++i) {
            lexer_.expect("{");
            bodies.push_back(body("param"));
            lexer_.expect("}");
        }
        return bodies;
    }

    /// (args; scalars; arrays)
    std::vector<ValueId> arguments(Captures& captures) {
        lexer_.expect("(");
        std::vector<ValueId> args = values_until({";", ")"});
        if (lexer_.accept(";")) captures.scalars = values_until({";", ")"});
        if (lexer_.accept(";")) captures.arrays = values_until({")"});
        lexer_.expect(")");
        return args;
    }

    ArrayOp operation() {
        if (lexer_.at("map") || lexer_.at("map_indexed") || lexer_.at("generate")) return map();
        if (lexer_.accept("fold")) return fold();
        if (lexer_.accept("transpose")) return view(Transpose{axes()});
        if (lexer_.accept("slice")) return view(slice());
        if (lexer_.accept("broadcast")) return view(Broadcast{axes()});
        if (lexer_.accept("reshape")) return view(Reshape{});
        if (lexer_.accept("gather")) {
            std::vector<ValueId> indices = values();
            return Gather{std::move(indices), values()};
        }
        if (lexer_.accept("force")) {
            const bool again = lexer_.accept("again");
            return Force{values(), again};
        }
        if (lexer_.accept("cond")) {
            ValueId condition = use();
            return Cond{condition, bodies(2)};
        }
        if (lexer_.at("while") || lexer_.at("for")) return loop();
        if (lexer_.accept("shift")) return view(shift());
        if (lexer_.accept("pad")) return view(slice());
        if (lexer_.accept("scan")) return scan(false);
        if (lexer_.accept("recur")) return scan(true);
        if (lexer_.accept("compact")) {
            ValueId mask = use();
            return Compact{mask, values()};
        }
        if (lexer_.accept("scatter")) return scatter();
        if (lexer_.accept("sort")) {
            bool descending = lexer_.accept("descending");
            std::size_t keys = lexer_.natural();
            return Sort{values(), keys, descending};
        }
        if (lexer_.accept("foreign")) {
            std::string name = lexer_.quoted();
            Foreign foreign{std::move(name), lexer_.natural(), {}, {}, {}};
            if (lexer_.accept("rule")) {
                foreign.rule = lexer_.natural();
                lexer_.expect("by");
                foreign.by = axes();
            }
            foreign.args = values();
            return foreign;
        }
        if (lexer_.at("fold_rows") || lexer_.at("scan_rows")) return rows();
        if (lexer_.accept("vmap")) {
            std::vector<ValueId> args = values();
            return Vmap{std::move(args), bodies(1)};
        }
        if (lexer_.at("jvp") || lexer_.at("vjp")) return derivative();
        if (lexer_.at("custom_jvp") || lexer_.at("custom_vjp") || lexer_.at("checkpoint")) return custom();
        lexer_.fail("expected an array operation");
    }

    Map map() {
        std::string_view name = lexer_.take();
        Map map;
        map.indexed = name != "map";
        map.args = arguments(map.captures);
        if (name != "map" && (name == "generate") != map.args.empty())
            lexer_.fail("generate has no arguments, map_indexed has some");
        map.fn = parse_fn(lexer_);
        return map;
    }

    Derivative derivative() {
        Derivative derivative;
        derivative.mode = lexer_.take() == "jvp" ? Derivative::Mode::forward : Derivative::Mode::reverse;
        derivative.args = values();
        lexer_.expect("by");
        derivative.by = axes();
        lexer_.expect("seeds");
        derivative.seeds = values();
        derivative.bodies = bodies(1);
        return derivative;
    }

    Custom custom() {
        Custom custom;
        const std::string_view name = lexer_.take();
        custom.kind = name == "custom_jvp"   ? Custom::Kind::jvp
                      : name == "custom_vjp" ? Custom::Kind::vjp
                                             : Custom::Kind::checkpoint;
        custom.args = values();
        custom.bodies = bodies(custom.kind == Custom::Kind::checkpoint ? 1 : 2);
        return custom;
    }

    Rows rows() {
        Rows rows;
        if (lexer_.take() == "scan_rows")
            rows.kind = lexer_.accept("exclusive") ? Rows::Kind::exclusive : Rows::Kind::inclusive;
        rows.reverse = lexer_.accept("reverse");
        rows.args = values();
        lexer_.expect("from");
        rows.inits = values();
        rows.bodies = bodies(1);
        return rows;
    }

    Fold fold() {
        Fold fold;
        fold.commutative = lexer_.accept("commutative");
        fold.axes = axes();
        fold.args = arguments(fold.captures);
        lexer_.expect("from");
        fold.inits = values();
        fold.op = parse_fn(lexer_);
        return fold;
    }

    Slice slice() {
        Slice slice;
        bracketed([&] {
            slice.start.push_back(sizes_.size());
            lexer_.expect(":");
            slice.step.push_back(lexer_.integer());
        });
        return slice;
    }

    Shift shift() {
        Shift shift;
        if (lexer_.accept("wrap"))
            shift.boundary = Boundary::wrap;
        else if (lexer_.accept("symmetric"))
            shift.boundary = Boundary::symmetric;
        else if (lexer_.accept("reflect"))
            shift.boundary = Boundary::reflect;
        else
            lexer_.expect("clamp");
        bracketed([&] { shift.offset.push_back(lexer_.integer()); });
        return shift;
    }

    View view(IndexFunction function) {
        View view{use(), std::move(function)};
        if (lexer_.accept("else")) view.fill = use();
        return view;
    }

    Scan scan(bool sequential) {
        Scan scan;
        scan.sequential = sequential;
        scan.exclusive = lexer_.accept("exclusive");
        scan.reverse = lexer_.accept("reverse");
        scan.totals = lexer_.accept("totals");
        std::vector<std::size_t> axis = axes();
        if (axis.size() != 1) lexer_.fail("a scan has one axis");
        scan.axis = axis[0];
        scan.args = arguments(scan.captures);
        lexer_.expect("from");
        scan.inits = values();
        scan.op = parse_fn(lexer_);
        return scan;
    }

    Scatter scatter() {
        Scatter scatter;
        if (lexer_.accept("drops")) scatter.drops = lexer_.at("(") ? 0 : lexer_.natural();
        scatter.dests = values();
        lexer_.expect("at");
        scatter.indices = values();
        scatter.values = arguments(scatter.captures);
        if (lexer_.at("{")) scatter.op = parse_fn(lexer_);
        return scatter;
    }

    StateAxis state_axis() {
        std::size_t state = lexer_.natural();
        lexer_.expect(":");
        return {state, lexer_.natural()};
    }

    Loop loop() {
        Loop loop;
        bool counted = lexer_.take() == "for";
        loop.segment = lexer_.accept("segment");
        if (counted) loop.count = use();
        loop.inits = values();
        if (lexer_.accept("changing")) bracketed([&] { loop.changing.push_back(state_axis()); });
        loop.bodies = bodies(counted ? 1 : 2);
        return loop;
    }

    Program program_;
    Lexer lexer_;
    SizeParser sizes_;
    std::size_t level_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace

Program parse(std::string_view text) { return Parser(text).take(); }

}  // namespace sinter::ir
