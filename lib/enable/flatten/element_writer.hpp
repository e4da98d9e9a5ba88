// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes functions of single elements.
#pragma once

#include "ir/builder.hpp"
#include "ir/program.hpp"

#include <functional>

namespace sinter::enable {

using Locals = std::vector<ir::Local>;

/// A function that is being written. Arrays and scalars around it become captures where they are first used.
class ElementWriter {
  public:
    using TypeOf = std::function<const ir::Type&(ir::ValueId)>;
    using Emit = std::function<Locals(ElementWriter&)>;
    struct Written {
        ir::Fn fn;
        ir::Captures captures;
    };

    /// The function with these parameters, which are locals 0, 1, .., and the results of `emit`. That is called twice: the
    /// first call finds the captured scalars, which are parameters, too.
    static Written write(const TypeOf& type_of, const std::vector<ir::Scalar>& params, const Emit& emit);

    ir::BlockBuilder& builder() { return builder_; }
    ir::Local read(ir::ValueId array, Locals index);
    ir::Local extent(ir::ValueId array, std::size_t axis);
    ir::Local scalar(ir::ValueId id);

    ir::Local apply(ir::Op op, std::initializer_list<ir::Local> operands) { return builder_.emit(op, operands); }
    ir::Local index(std::int64_t value) { return builder_.constant_index(value); }
    /// The index, after it has been checked against the extent of this axis.
    ir::Local checked(ir::Local index, ir::Local extent, std::size_t axis);

    /// The last states of `count` iterations of body(index, states).
    Locals for_loop(ir::Local count, const Locals& states, const std::function<Locals(ir::Local, Locals)>& body);
    /// The states of which goes_on(states) is the first not to hold, each the body(states) of those before.
    Locals while_loop(Locals states, const std::function<ir::Local(Locals)>& goes_on,
                      const std::function<Locals(Locals)>& body);
    /// then() if the condition holds, and otherwise() if not.
    Locals cond(ir::Local condition, const std::function<Locals()>& then, const std::function<Locals()>& otherwise);

  private:
    ElementWriter(const TypeOf& type_of, std::size_t params, bool trial)
        : type_of_(type_of), params_(params), trial_(trial) {}
    std::size_t slot(ir::ValueId array);
    Locals open_states(const std::vector<ir::Scalar>& types);

    const TypeOf& type_of_;
    std::size_t params_;
    bool trial_;
    ir::BlockBuilder builder_;
    ir::Captures captures_;
};

}  // namespace sinter::enable
