// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/replay.hpp"

#include "run/execute/cascade/run_cascade.hpp"
#include "run/messages.hpp"
#include "run/plan/size_values.hpp"
#include "support/stack_array.hpp"

#include <algorithm>
#include <new>

namespace sinter::runtime {

namespace {

bool is_replayable(const Step& step) {
    if (std::holds_alternative<AliasStep>(step.action)) return true;
    const auto* launch = std::get_if<KernelStep>(&step.action);
    if (!launch) return false;
    const std::vector<lower::Buffer>& buffers = launch->kernel->kernel.buffers;
    return std::none_of(buffers.begin(), buffers.end(), [](const lower::Buffer& buffer) { return buffer.dest.has_value(); });
}

}  // namespace

bool is_replayable(const Plan& plan) {
    return std::find(plan.dynamic.begin(), plan.dynamic.end(), true) == plan.dynamic.end() &&
           std::all_of(plan.body.steps.begin(), plan.body.steps.end(), [](const Step& s) { return is_replayable(s); });
}

/// Walks through a plan's steps as execute() does.
class Replay::Recorder {
  public:
    Recorder(const Plan& plan, const Call& call) : plan_(plan), call_(call), sizes_(plan, call) {}

    /// Returns false if this call cannot be replayed.
    bool operator()(Replay& replay, const ir::SizeTable& sizes) {
        for (std::size_t k = 0; k < call_.inputs.size(); ++k) {
            replay.extents_.insert(replay.extents_.end(), call_.inputs[k].shape.begin(), call_.inputs[k].shape.end());
            places_.push_back({true, k});
        }
        places_.resize(plan_.body.types.size());
        record_numbers(replay, sizes);
        for (const Step& step : plan_.body.steps)
            if (!record_step(step, replay)) return false;
        for (ir::ValueId id : plan_.body.results) {
            const Place place = places_[id.index];
            if (place.input && !call_.inputs[place.index].owner) return false;
            for (Result& other : replay.results_) other.last = other.last && !(other.place == place);
            replay.results_.push_back({place, true, shape_of(plan_.body.types[id.index])});
        }
        return true;
    }

  private:
    void record_numbers(Replay& replay, const ir::SizeTable& sizes) const {
        for (std::size_t k = 0; k < sizes.count(); ++k) {
            const ir::Size& size = sizes[ir::SizeId(k)];
            if (size.kind != ir::Size::Kind::value) continue;
            const auto input = static_cast<std::size_t>(size.index);
            if (input >= call_.inputs.size()) continue;
            replay.numbers_.push_back({input, call_.inputs[input].number()});
        }
    }

    bool record_step(const Step& step, Replay& replay) {
        if (const auto* alias = std::get_if<AliasStep>(&step.action)) {
            for (std::size_t k = 0; k < alias->from.size(); ++k)
                places_[alias->to.index + k] = places_[alias->from[k].index];
            return true;
        }
        const auto& launch = std::get<KernelStep>(step.action);
        const lower::Kernel& kernel = launch.kernel->kernel;
        const std::vector<std::int64_t> sizes = sizes_of(launch);
        KernelCall call{launch.kernel->code->bind(sizes, call_.threads), {}, {}, {}};
        for (ir::ValueId id : launch.inputs) call.reads.push_back(places_[id.index]);
        for (std::size_t k = 0; k < launch.outputs.size(); ++k) {
            const lower::Buffer& buffer = kernel.buffers[launch.inputs.size() + k];
            const std::size_t level = launch.outputs[k].index;
            call.writes.push_back({replay.arrays_, bytes_of(plan_.body.types[level], sizes[buffer.elements.index])});
            places_[level] = {false, replay.arrays_++};
        }
        for (ir::ValueId id : step.dying)
            if (const Place place = places_[id.index]; !place.input && !is_kept(place)) call.dying.push_back(place.index);
        replay.kernels_.push_back(std::move(call));
        return true;
    }

    /// True if an array has other names, which may live longer.
    bool is_kept(Place array) const {
        return std::count_if(places_.begin(), places_.end(),
                             [&](Place other) { return !other.input && other.index == array.index; }) > 1;
    }

    std::vector<std::int64_t> sizes_of(const KernelStep& step) const {
        std::vector<std::int64_t> arguments, sizes(step.kernel->kernel.sizes.count());
        for (ir::SizeId id : step.sizes) arguments.push_back(sizes_.statics()[id.index]);
        evaluate_kernel_sizes(step.kernel->kernel.sizes, arguments, sizes);
        return sizes;
    }

    std::vector<std::int64_t> shape_of(const ir::Type& type) const {
        std::vector<std::int64_t> shape;
        for (ir::SizeId id : type.shape) shape.push_back(sizes_.statics()[id.index]);
        return shape;
    }

    /// `room`: the number of elements that the kernel may write.
    std::size_t bytes_of(const ir::Type& type, std::int64_t room) const {
        const std::vector<std::int64_t> shape = shape_of(type);
        return std::max(checked_bytes(type.scalar, shape, call_.where), checked_bytes(type.scalar, {&room, 1}, call_.where));
    }

    const Plan& plan_;
    const Call& call_;
    SizeValues sizes_;
    std::vector<Place> places_;  ///< by variable
};

std::unique_ptr<const Replay> Replay::record(std::shared_ptr<const Plan> plan, const ir::SizeTable& sizes,
                                             const Call& call) {
    if (has_cascades(*plan, call)) return nullptr;
    auto replay = std::make_unique<Replay>();
    if (!plan->backend->immediate()) replay->device_ = plan->backend;
    if (!Recorder(*plan, call)(*replay, sizes)) return nullptr;
    replay->plan_ = std::move(plan);
    if (replay->device_) replay->make_sequence();
    return replay;
}

/// Lets arrays that have died pass their memory on to others with the same number of bytes.
void Replay::find_memory() {
    std::vector<std::size_t> free;
    for (const KernelCall& call : kernels_) {
        for (const Output& output : call.writes) {
            const auto fits = [&](std::size_t memory) { return bytes_[memory] == output.bytes; };
            const auto found = std::find_if(free.begin(), free.end(), fits);
            memory_.push_back(found == free.end() ? bytes_.size() : *found);
            if (found == free.end())
                bytes_.push_back(output.bytes);
            else
                free.erase(found);
        }
        for (std::size_t array : call.dying) free.push_back(memory_[array]);
    }
}

void Replay::make_sequence() {
    find_memory();
    const std::size_t inputs = plan_->body.parameters;
    std::vector<SequenceItem> items;
    for (const KernelCall& call : kernels_) {
        SequenceItem item{call.code.get(), {}};
        for (const Place& place : call.reads)
            item.buffers.push_back(place.input ? place.index : inputs + memory_[place.index]);
        for (const Output& output : call.writes) item.buffers.push_back(inputs + memory_[output.array]);
        items.push_back(std::move(item));
    }
    sequence_ = device_->sequence(std::move(items));
}

bool Replay::launch_sequence(void* const* inputs, BufferRef* arrays) const {
    StackArray<BufferRef, 8> memory(bytes_.size());
    const std::size_t parameters = plan_->body.parameters;
    StackArray<void*, 20> data(parameters + bytes_.size());
    std::copy(inputs, inputs + parameters, data.begin());
    for (std::size_t k = 0; k < bytes_.size(); ++k) {
        memory[k] = device_->allocate(bytes_[k]);
        data[parameters + k] = memory[k]->data;
    }
    if (!sequence_->launch({data.begin(), data.begin() + data.size()})) return false;
    for (const Result& result : results_)
        if (!result.place.input) arrays[result.place.index] = memory[memory_[result.place.index]];
    return true;
}

bool Replay::fits(std::span<const InputView> inputs) const {
    const std::int64_t* known = extents_.data();
    for (const InputView& input : inputs)
        for (std::int64_t extent : input.shape)
            if (extent != *known++) return false;
    return std::all_of(numbers_.begin(), numbers_.end(),
                       [&](const Number& number) { return inputs[number.input].number() == number.value; });
}

bool Replay::launch(const KernelCall& call, void* const* inputs, BufferRef* arrays) const {
    StackArray<void*, 16> buffers(call.reads.size() + call.writes.size());
    void** next = buffers.begin();
    for (const Place& place : call.reads) *next++ = place.input ? inputs[place.index] : arrays[place.index]->data;
    for (const Output& output : call.writes) {
        arrays[output.array] = device_ ? device_->allocate(output.bytes) : allocate(output.bytes);
        *next++ = arrays[output.array]->data;
    }
    ErrorSlot error;
    call.code->launch(buffers.data(), error);
    for (std::size_t array : call.dying) arrays[array].reset();
    return error.check.load(std::memory_order_acquire) == 0;
}

bool Replay::run(std::span<const InputView> inputs, ResultSink& results) const {
    StackArray<BufferRef, 8> arrays(arrays_), here(device_ ? inputs.size() : 0);
    StackArray<void*, 12> data(inputs.size());
    try {
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            data[k] = const_cast<void*>(inputs[k].data);
            if (!device_ || !inputs[k].owner) continue;
            here[k] = device_->resident(*inputs[k].owner);
            data[k] = here[k]->data;
        }
        if (!sequence_ || !launch_sequence(data.data(), arrays.data()))
            for (const KernelCall& call : kernels_)
                if (!launch(call, data.data(), arrays.data())) return false;
    } catch (const std::bad_alloc&) {
        return false;
    }
    for (const auto& [place, last, shape] : results_) {
        if (place.input)
            results.take(*inputs[place.index].owner, shape);
        else
            results.take(last ? std::move(arrays[place.index]) : arrays[place.index], shape);
    }
    return true;
}

}  // namespace sinter::runtime
