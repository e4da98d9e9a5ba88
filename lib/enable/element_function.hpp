// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns a body over arrays of one shape into a function of elements.
#pragma once

#include "ir/builder.hpp"
#include "ir/program.hpp"

#include <functional>
#include <optional>
#include <unordered_map>

namespace sinter::enable {

class ElementFunction {
  public:
    struct Made {
        ir::Fn fn;  ///< a function of one element per parameter
        ir::Captures captures;
    };

    /// For bodies whose first parameter has level `outside`; `type_of` gives the types of the variables around them. `shape`
    /// is that of the parameters.
    ElementFunction(ir::Shape shape, std::size_t outside, std::function<ir::Type(ir::ValueId)> type_of)
        : shape_(std::move(shape)), outside_(outside), type_of_(std::move(type_of)) {}

    /// Nothing if the body is not element-wise, that is, does not consist of maps over arrays of the shape and over scalars
    /// that depend on none of these. Arrays of the shape from outside are captured as scalars, element by element.
    std::optional<Made> make(const ir::Body& body);

  private:
    bool is_local(ir::ValueId id) const { return id.index >= outside_; }
    const ir::Type& local_type(ir::ValueId id) const { return types_[id.index - outside_]; }
    bool is_element(ir::ValueId id) const;
    bool is_elementwise(const ir::Binding& binding) const;
    bool is_elementwise(const ir::Map& map, const ir::Shape& shape) const;
    void note_captures(const ir::Body& body);
    void capture(ir::ValueId id);
    ir::Local local(ir::ValueId id) const;
    void emit(ir::BlockBuilder& builder, const ir::Binding& binding);

    ir::Shape shape_;
    std::size_t outside_;
    std::function<ir::Type(ir::ValueId)> type_of_;
    std::vector<ir::Type> types_;  ///< of the body's variables
    ir::Captures captures_;
    std::unordered_map<ir::ValueId, std::size_t> scalars_;  ///< position among the captured scalars
    std::size_t captured_ = 0;                              ///< the number of the function's first parameter that is a
                                                            ///< captured scalar
    std::vector<ir::Local> environment_;                    ///< by variable of the body
};

}  // namespace sinter::enable
