// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/interpret.hpp"

#include "fuse/partition.hpp"
#include "fuse/tuning.hpp"
#include "interp/kernel.hpp"
#include "interp/program.hpp"

#include <cstring>
#include <new>
#include <stdexcept>

namespace sinter::runtime {

namespace {

class InterpretedKernel final : public CompiledKernel {
  public:
    explicit InterpretedKernel(const lower::Kernel& kernel) : kernel_(kernel) {}

    void launch(const Launch& launch) const override { launch_interpreted(kernel_, launch); }
    double work(const std::int64_t*) const override { return 0; }

  private:
    lower::Kernel kernel_;
};

class KernelInterpreter final : public Backend {
  public:
    std::string identity() const override { return "kernel interpreter"; }
    double launch_bytes() const override { return fuse::tuning::launch_bytes; }
    bool immediate() const override { return true; }
    std::unique_ptr<CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<InterpretedKernel>(kernel);
    }
    KernelTexts texts(const lower::Kernel&) override { return {}; }
};

interp::ArrayValue to_value(ir::Scalar scalar, const InputView& input) {
    interp::ArrayValue value(scalar, std::vector(input.shape.begin(), input.shape.end()));
    if (!value.bytes.empty()) std::memcpy(value.bytes.data(), input.data, value.bytes.size());
    return value;
}

Array to_array(const interp::ArrayValue& value) {
    Array array{allocate(value.bytes.size()), value.shape};
    if (!value.bytes.empty()) std::memcpy(array.buffer->data, value.bytes.data(), value.bytes.size());
    return array;
}

}  // namespace

std::vector<Array> interpret(const ir::Program& program, const Call& call) try {
    std::vector<interp::ArrayValue> inputs;
    for (std::size_t k = 0; k < call.inputs.size(); ++k) {
        inputs.push_back(to_value(program.body.params[k].scalar, call.inputs[k]));
    }
    std::vector<Array> results;
    for (const interp::ArrayValue& value :
         interp::interpret(program, std::move(inputs), call.size_arguments, call.functions, call.control)) {
        results.push_back(to_array(value));
    }
    return results;
} catch (const std::bad_alloc&) {
    throw MemoryError("cannot allocate what the interpreter computes", call.where);
} catch (const std::length_error&) {
    throw MemoryError("cannot allocate what the interpreter computes", call.where);
}

void launch_interpreted(const lower::Kernel& kernel, const Launch& launch) {
    std::span buffers(launch.buffers, kernel.buffers.size());
    std::span sizes(launch.sizes, kernel.sizes.count());
    if (auto failure = interp::interpret(kernel, buffers, sizes)) {
        launch.error->index = failure->index;
        launch.error->extent = failure->extent;
        launch.error->check.store(failure->check + 1, std::memory_order_release);
    }
}

std::unique_ptr<Backend> make_kernel_interpreter() { return std::make_unique<KernelInterpreter>(); }

}  // namespace sinter::runtime
