// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/whole_loops/work_of_loop.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "run/execute/launcher.hpp"
#include "run/plan/loop_kernel.hpp"
#include "run/tuning.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <map>

namespace sinter::runtime {

namespace {

class Walk {
  public:
    Walk(const LoopStep& loop, const ir::SizeTable& table, const AroundLoop& around)
        : loop_(loop), table_(table), around_(around) {}

    WorkOfLoop run() {
        this->loop(loop_, 1);
        return result_;
    }

  private:
    /// `times`: how often it is executed.
    void loop(const LoopStep& loop, double times) {
        double count = tuning::steps_of_condition;
        if (loop.count) {
            const std::int64_t steps = std::max<std::int64_t>(number(*loop.count), 0);
            counters_[ValueId(loop.body->base)] = steps / 2;
            sizes_.clear();  // another loop's counter had the same name
            count = static_cast<double>(steps);
        }
        if (loop.condition) body(*loop.condition, times * count);
        body(*loop.body, times * count);
    }

    void body(const BodyPlan& body, double times) {
        for (const Step& step : body.steps)
            match(
                step.action, [&](const KernelStep& kernel) { launch(kernel, times); },
                [&](const LoopStep& nested) { loop(nested, times); },
                [&](const CondStep& branch) { this->body(*branch.then, times), this->body(*branch.otherwise, times); },
                [](const auto&) {});
    }

    void launch(const KernelStep& kernel, double times) {
        result_.launches += times;
        result_.work += times * work_of(kernel, [this](SizeId id) { return size(id); });
    }

    std::int64_t number(ValueId id) const {
        if (id.index < loop_.to.index) return around_.number(id);
        const auto counter = counters_.find(id);
        return counter == counters_.end() ? around_.unknown : counter->second;
    }

    std::int64_t size(SizeId id) {
        if (const auto found = sizes_.find(id); found != sizes_.end()) return found->second;
        return sizes_[id] = new_size(id);
    }

    std::int64_t new_size(SizeId id) {
        if (loop_.kernel->is_known(id)) return around_.size(id);
        const ir::Size& size = table_[id];
        if (!size.left.valid()) return number(ValueId(static_cast<std::size_t>(size.index)));
        const std::int64_t left = this->size(size.left), value = ir::apply(size.kind, left, this->size(size.right));
        return value > 0 ? value : std::max<std::int64_t>(left, 1);
    }

    const LoopStep& loop_;
    const ir::SizeTable& table_;
    const AroundLoop& around_;
    WorkOfLoop result_;
    std::map<ValueId, std::int64_t> counters_;  ///< that have been met, by their names
    std::map<SizeId, std::int64_t> sizes_;
};

}  // namespace

WorkOfLoop work_of_loop(const LoopStep& loop, const ir::SizeTable& sizes, const AroundLoop& around) {
    return Walk(loop, sizes, around).run();
}

double work_of(const KernelStep& step, const std::function<std::int64_t(SizeId)>& size) {
    const ir::SizeTable& table = step.kernel->kernel.sizes;
    Numbers arguments(step.sizes.size()), sizes(table.count());
    for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = size(step.sizes[k]);
    evaluate_kernel_sizes(table, arguments, sizes);
    // Estimates may contradict one another: prices are for extents that exist.
    for (std::int64_t& n : sizes) n = std::clamp<std::int64_t>(n, 1, largest_loop_size);
    return step.kernel->code->work(sizes.data());
}

}  // namespace sinter::runtime
