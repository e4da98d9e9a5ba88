// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions are simplified by opt/algebra/simplify_function.hpp; here, cond with a known condition, and loops that never
/// run or run once.
#include "ir/rebuild.hpp"
#include "opt/algebra/constants.hpp"
#include "opt/algebra/simplify_function.hpp"
#include "opt/passes.hpp"
#include "support/match.hpp"

namespace sinter::opt {

using namespace ir;

namespace {

class Simplify : public Rebuilder {
    void binding(Binding&& binding) override {
        if (FunctionPart part = function_of(binding.op)) *part.fn = simplify(*part.fn);
        if (auto* cond = std::get_if<Cond>(&binding.op))
            if (auto known = constants_.find(cond->condition)) return define(splice(cond->bodies[*known == 1 ? 0 : 1]));
        if (auto* loop = std::get_if<Loop>(&binding.op); loop && loop->count && loop->changing.empty()) {
            auto count = constants_.find(*loop->count);
            if (count && static_cast<std::int64_t>(*count) <= 0) return define(loop->inits);
        }
        bool is_map = std::holds_alternative<Map>(binding.op);
        keep(std::move(binding));
        if (is_map) constants_.note(written().back(), level());
    }

    void close() override { constants_.forget_from(level()); }

    Constants constants_;
};

}  // namespace

Program simplify(Program program) { return Simplify().run(std::move(program)); }

}  // namespace sinter::opt
