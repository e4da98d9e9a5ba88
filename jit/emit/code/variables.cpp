// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/code/variables.hpp"

namespace sinter::emit {

Few flatten(Code& code, const Values& values) {
    Few result;
    for (const Value& v : values) result.append(code.to_phi(v));
    return result;
}

Value as_variable(Code& code, const Value& value, bool varies) { return varies ? code.make_varying(value) : value; }

Values as_variables(Code& code, Values values, const std::vector<bool>& vary) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = as_variable(code, values[k], vary[k]);
    return values;
}

Values unflatten(Code& code, const Values& like, llvm::ArrayRef<llvm::Value*> flat) {
    Values result;
    for (const Value& v : like) {
        const std::size_t count = v.is_varying() ? v.parts.size() : v.scalars.size();
        result.push_back(code.from_phi(v.type, flat.take_front(count)));
        flat = flat.drop_front(count);
    }
    return result;
}

}  // namespace sinter::emit
