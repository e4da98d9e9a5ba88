// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cuda/card.hpp"
#include "jit/gpu/device/code_cache.hpp"
#include "jit/gpu/device/lookahead.hpp"
#include "jit/gpu/device/sequence.hpp"
#include "jit/gpu/emit/builtin_names.hpp"
#include "jit/gpu/emulator/emulator.hpp"
#include "jit/gpu/gpu.hpp"
#include "jit/gpu/launch.hpp"
#include "jit/gpu/one_card.hpp"
#include "jit/gpu/sort/sort.hpp"
#include "lower/guarded.hpp"
#include "run/execute/host_side.hpp"
#include "run/plan/size_values.hpp"
#include "schedule/card/decision.hpp"
#include "schedule/tuning.hpp"
#include "support/cache/first_few.hpp"
#include "support/log.hpp"
#include "support/text/dump.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <sinter/error.hpp>
#include <string>

namespace sinter::gpu {

namespace {

/// Extents and the card affect the code only through the way.
std::unique_ptr<Program> program_of(Device& device, const lower::Kernel& kernel, const card::Schedule& schedule) {
    const std::string what =
        std::to_string(card::code_number(schedule.way)) + (schedule.is_part ? " part\n" : "\n") + lower::print(kernel);
    return find_or_make(device, what, kernel.name, codegen::CardKernels{kernel, schedule});
}

card::Card card_of(const Device& device) { return {device.wanted_blocks(), device.has_tensor_cores()}; }

card::Decision decide(const Device& device, const lower::Kernel& kernel, const card::Candidates& candidates,
                      const std::int64_t* sizes) {
    return card::decide(kernel, candidates, sizes, card_of(device));
}

class GpuKernel final : public OneCardKernel {
  public:
    GpuKernel(const lower::Kernel& kernel, std::shared_ptr<Device> device, std::shared_ptr<Memory> memory,
              std::shared_ptr<Sorter> sorter, runtime::HostBackend host)
        : kernel_(kernel),
          device_(std::move(device)),
          memory_(std::move(memory)),
          sorter_(std::move(sorter)),
          host_(std::move(host)),
          candidates_(card::candidates_of(kernel_)) {}

    void launch(const runtime::Launch& launch) const override {
        if (lower::reads_empty(kernel_, launch.sizes)) return guarded().launch(launch);
        auto fits = [&](const Decided& decided) { return decided.fits(launch.sizes); };
        if (const Decided* kept = decided_.find(fits)) return execute(kept->decision, launch);
        const std::int64_t* sizes = launch.sizes;
        auto decided =
            std::make_unique<const Decided>(Decided{{sizes, sizes + kernel_.sizes.count()}, decide_and_show(sizes)});
        execute(decided->decision, launch);
        decided_.keep(std::move(decided));
    }

    std::unique_ptr<const runtime::BoundKernel> bind(std::vector<std::int64_t> sizes, int threads) const override;

    std::string schedule(const std::int64_t* sizes, int threads) const override {
        if (lower::reads_empty(kernel_, sizes)) return guarded().schedule(sizes, threads);
        return card::summary(candidates_, decide(sizes));
    }

    /// Sorts have no guard, and what the host executes needs none.
    bool may_be_guarded(const std::int64_t* sizes) const override {
        if (lower::reads_empty(kernel_, sizes)) return guarded().may_be_guarded(sizes);
        return card::is_all_on_card(decide(sizes).way);
    }

    Cutting cutting(const std::int64_t* sizes) const override;
    void launch_part(const runtime::Launch& launch, const schedule::Interval& part, const std::vector<bool>& is_on_device,
                     std::span<void* const> states) const override;
    void finish_chunks(const runtime::Launch& launch, const std::vector<bool>& is_on_device,
                       std::span<void* const> states) const override;

    class Bound;

  private:
    /// What was decided for the extents of a call.
    struct Decided {
        std::vector<std::int64_t> sizes;
        card::Decision decision;
        bool fits(const std::int64_t* others) const { return std::equal(sizes.begin(), sizes.end(), others); }
    };

    card::Decision decide(const std::int64_t* sizes) const { return gpu::decide(*device_, kernel_, candidates_, sizes); }

    card::Decision decide_and_show(const std::int64_t* sizes) const {
        card::Decision decision = decide(sizes);
        if (dumps("schedule")) dump("schedule", kernel_.name + "\n" + card::print(candidates_, decision));
        if (std::holds_alternative<card::OnHost>(decision.way))
            log_line(LogLevel::warning, "{} runs on the host instead of the card", kernel_.name);
        return decision;
    }

    void execute(const card::Decision& decision, const runtime::Launch& launch) const {
        if (decision.launch.points <= 0) return;
        if (std::holds_alternative<card::OnHost>(decision.way)) {
            const CompiledKernel& kernel = on_host();
            return runtime::launch_on_host(memory_.get(), kernel_, launch,
                                           [&](const runtime::Launch& here) { kernel.launch(here); });
        }
        launch_kernel(*device_, *memory_, *sorter_, program(decision.way), decision.launch, kernel_, launch);
    }

    /// The code for a way, made when it is first needed.
    const Program& program(const card::Way& way, bool is_part = false) const {
        const SectionLock lock(mutex_);
        auto& program = (is_part ? part_programs_ : programs_)[card::code_number(way)];
        if (program) return *program;
        card::Schedule schedule = card::schedule_of(candidates_, way);
        schedule.is_part = is_part;
        program = program_of(*device_, kernel_, schedule);
        return *program;
    }

    const CompiledKernel& on_host() const {
        const SectionLock lock(mutex_);
        if (!on_host_) on_host_ = host_().compile(kernel_);
        return *on_host_;
    }

    /// What is launched where the kernel reads arrays without elements: threads go on after a failed check.
    const GpuKernel& guarded() const {
        const SectionLock lock(mutex_);
        if (!guarded_)
            guarded_ = std::make_unique<const GpuKernel>(lower::guarded(kernel_), device_, memory_, sorter_, host_);
        return *guarded_;
    }

    const lower::Kernel kernel_;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<Sorter> sorter_;
    const runtime::HostBackend host_;
    const card::Candidates candidates_;  ///< refers to kernel_
    mutable FirstFew<Decided> decided_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<CompiledKernel> on_host_;
    mutable std::unique_ptr<const GpuKernel> guarded_;
    mutable std::array<std::unique_ptr<Program>, card::code_count> programs_, part_programs_;
};

Cutting GpuKernel::cutting(const std::int64_t* sizes) const {
    Cutting result;
    if (lower::reads_empty(kernel_, sizes)) return result.why = "it reads arrays without elements", result;
    const card::Decision decision = decide(sizes);
    const card::Launch& launch = decision.launch;
    result.points = launch.points;
    if (launch.points <= 0) return result.why = "it has no points", result;
    if (candidates_.has_many_parameters(decision.way, 2)) return result.why = "it has many arrays and extents", result;
    if (card::cut_of(decision.way) == card::Cut::at_points && !kernel_.space.empty()) {
        result.facts = schedule::part_facts(kernel_, sizes);
        result.extent = sizes[kernel_.space[0].index];
        result.unit = card::unit_of(kernel_);
        if (const auto* tiles = std::get_if<card::RegisterTiles>(&decision.way))
            if (tiles->row_axis == 0) result.unit = tiles->block_rows();
    } else if (card::cut_of(decision.way) == card::Cut::at_chunks) {
        const schedule::Facts::Loop& loop = candidates_.facts.loops[0];
        const std::int64_t outer = loop.extents->front().of(sizes);
        result.facts = schedule::chunk_facts(kernel_, *loop.inst, outer, sizes);
        result.extent = launch.chunks;
        result.chunk_length = launch.chunk_length;
        result.inner = decision.elements / outer;
        result.results = candidates_.facts.state_bytes;
    } else {
        return result.why = "its points depend on each other", result;
    }
    if (!result.facts.possible) return result.why = "its points write the same arrays, or change some in place", result;
    result.cut = card::cut_of(decision.way);
    double bytes = 0;
    for (const lower::Buffer& buffer : kernel_.buffers)
        bytes += static_cast<double>(sizes[buffer.elements.index] * detail::size_of(buffer.scalar));
    const double elements =
        static_cast<double>(launch.points) * static_cast<double>(std::max<std::int64_t>(1, decision.elements));
    result.work = std::max(bytes, elements * card::tuning::element_work);
    return result;
}

void GpuKernel::launch_part(const runtime::Launch& launch, const schedule::Interval& part,
                            const std::vector<bool>& is_on_device, std::span<void* const> states) const {
    const card::Decision decision = decide(launch.sizes);
    const bool of_points = card::cut_of(decision.way) == card::Cut::at_points;
    const std::int64_t extent = of_points ? launch.sizes[kernel_.space[0].index] : decision.launch.chunks;
    const card::Launch numbers = card::part_of(decision.way, decision.launch, part.length(), extent, card_of(*device_));
    const Share share{numbers, of_points ? part.begin / card::unit_of(kernel_) : part.begin, part.length(), is_on_device,
                      states};
    launch_share(*device_, *memory_, *sorter_, program(decision.way, true), share, kernel_, launch);
}

void GpuKernel::finish_chunks(const runtime::Launch& launch, const std::vector<bool>& is_on_device,
                              std::span<void* const> states) const {
    const card::Decision decision = decide(launch.sizes);
    card::Launch numbers = decision.launch;
    std::erase_if(numbers.stages, [](const card::Stage& stage) { return stage.role != card::Role::finish; });
    const Share share{numbers, 0, numbers.chunks, is_on_device, states};
    launch_share(*device_, *memory_, *sorter_, program(decision.way, true), share, kernel_, launch);
}

/// Its launch is decided only once.
class GpuKernel::Bound final : public runtime::BoundKernel {
  public:
    Bound(const GpuKernel& kernel, std::vector<std::int64_t> sizes, int threads)
        : kernel_(kernel), sizes_(std::move(sizes)), decision_(kernel.decide_and_show(sizes_.data())), threads_(threads) {}

    void launch(void* const* buffers, runtime::ErrorSlot& error) const override {
        kernel_.execute(decision_, {buffers, sizes_.data(), &error, threads_});
    }

    /// True if it runs without the host: it has no checks, and runs on the device only.
    bool is_stage() const { return kernel_.kernel_.checks.empty() && card::is_all_on_card(decision_.way); }
    bool is_empty() const { return decision_.launch.points <= 0; }
    Stage stage(std::vector<std::size_t> buffers) const {
        return {&kernel_.kernel_, sizes_.data(), &decision_.launch, &kernel_.program(decision_.way), std::move(buffers)};
    }

  private:
    const GpuKernel& kernel_;
    const std::vector<std::int64_t> sizes_;
    const card::Decision decision_;
    const int threads_;
};

std::unique_ptr<const runtime::BoundKernel> GpuKernel::bind(std::vector<std::int64_t> sizes, int threads) const {
    if (lower::reads_empty(kernel_, sizes.data())) return guarded().bind(std::move(sizes), threads);
    return std::make_unique<const Bound>(*this, std::move(sizes), threads);
}

class GpuBackend final : public OneCard {
  public:
    GpuBackend(std::unique_ptr<Device> device, runtime::HostBackend host)
        : host_(std::move(host)), device_(std::move(device)), memory_(std::make_shared<Memory>(*device_)) {}

    std::string identity() const override { return device_->identity(); }
    double launch_bytes() const override { return card::tuning::launch_bytes; }
    bool has_local_buffers() const override { return false; }
    bool has_outer_folds() const override { return false; }

    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<GpuKernel>(kernel, device_, memory_, sorter_, host_);
    }

    runtime::KernelTexts texts(const lower::Kernel& kernel) override {
        const std::vector<std::int64_t> sizes = typical_sizes(kernel);
        const card::Candidates candidates = card::candidates_of(kernel);
        const card::Decision decision = decide(*device_, kernel, candidates, sizes.data());
        const bool is_on_host = std::holds_alternative<card::OnHost>(decision.way);
        runtime::KernelTexts texts =
            is_on_host ? host_().texts(kernel) : card_texts(kernel, card::schedule_of(candidates, decision.way));
        texts.schedule = card::print(candidates, decision) + texts.schedule;
        return texts;
    }

    Device& device() override { return *device_; }
    Memory& memory() override { return *memory_; }

    BufferRef allocate(std::size_t bytes) override { return gpu::allocate(memory_, bytes); }
    runtime::RemoteMemory* remote() override { return memory_.get(); }

    /// The caller's memory may change between calls, so copies of it are not kept.
    BufferRef resident(const BufferRef& array) override {
        if (memory_->contains(array->data)) return array;
        const SectionLock lock(copies_of_arrays());
        if (!array->on_device && array->copy && memory_->contains(array->copy->data)) return array->copy;
        BufferRef copy = allocate(array->bytes);
        if (array->on_device && array->bytes > 0 && memory_->take_over(copy->data, *array)) return copy;
        const BufferRef source = on_host(array);  // another device's, or the host's
        memory_->write(copy->data, source->data, array->bytes);
        if (array->reusable && !array->on_device) array->copy = copy;
        return copy;
    }

    std::unique_ptr<runtime::Lookahead> look_ahead(std::size_t flags, std::size_t records) override {
        return gpu::look_ahead(*memory_, flags, records);
    }

    std::unique_ptr<const runtime::Sequence> sequence(std::vector<runtime::SequenceItem> items) override {
        std::vector<Stage> stages;
        for (runtime::SequenceItem& item : items) {
            const auto& kernel = static_cast<const GpuKernel::Bound&>(*item.kernel);
            if (kernel.is_empty()) continue;
            if (!kernel.is_stage()) return nullptr;
            stages.push_back(kernel.stage(std::move(item.buffers)));
        }
        return make_sequence(device_, memory_, std::move(stages));
    }

    bool copy(void* to, const void* from, std::size_t bytes) override {
        if (!memory_->covers(to) || !memory_->covers(from)) return false;
        if (bytes > 0) device_->copy(to, from, bytes);
        return true;
    }

    bool sort(std::span<const runtime::SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
              std::int64_t count) override {
        if (count >= Sorter::most_elements) return false;
        sorter_->sort(columns, keys, descending, rows, count);
        return true;
    }

    void finish() override { memory_->await(); }
    std::unique_ptr<runtime::Stopwatch> stopwatch() override { return device_->stopwatch(); }
    double copy_bandwidth() override {
        std::call_once(copy_measured_, [&] { copy_bandwidth_ = measure_copy(); });
        return copy_bandwidth_;
    }

  private:
    runtime::KernelTexts card_texts(const lower::Kernel& kernel, const card::Schedule& schedule) {
        runtime::KernelTexts texts = device_->texts(codegen::CardKernels{kernel, schedule});
        texts.assembly = resources(kernel, schedule) + texts.assembly;
        return texts;
    }

    /// The resources of the device that the kernels use, as comments of their PTX.
    std::string resources(const lower::Kernel& kernel, const card::Schedule& schedule) {
        if (!device_->assembles()) return {};
        const auto program = program_of(*device_, kernel, schedule);
        std::string text;
        for (card::Role role : card::roles_of(schedule.way))
            if (const std::string line = program->resources(card::name_of(role)); !line.empty()) text += "// " + line + "\n";
        return text;
    }

    double measure_copy() {
        if (!device_->stopwatch()) return 0;
        constexpr std::size_t bytes = card::tuning::measured_bytes;
        auto release = [&](void* memory) { device_->release(memory); };
        using Block = std::unique_ptr<void, decltype(release)>;
        const Block from(device_->allocate(bytes), release), to(device_->allocate(bytes), release);
        double best = 0;
        for (int round = 0; from && to && round < card::tuning::measured_rounds; ++round) {
            const auto watch = device_->stopwatch();
            device_->copy(to.get(), from.get(), bytes);
            best = std::max(best, 2.0 * bytes / watch->seconds());
        }
        return best;
    }

    const runtime::HostBackend host_;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<Sorter> sorter_ = std::make_shared<Sorter>(*device_, *memory_);
    std::once_flag copy_measured_;
    double copy_bandwidth_ = 0;
};

}  // namespace

std::vector<std::int64_t> typical_sizes(const lower::Kernel& kernel) {
    std::vector<std::int64_t> sizes(kernel.sizes.count());
    const std::vector<std::int64_t> arguments(sizes.size(), schedule::tuning::typical_extent);
    runtime::evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
    return sizes;
}

std::mutex& copies_of_arrays() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

std::unique_ptr<runtime::Backend> make_gpu_backend(int number, runtime::HostBackend host) {
    return std::make_unique<GpuBackend>(open_card(number), std::move(host));
}

std::unique_ptr<runtime::Backend> make_emulated_backend(runtime::HostBackend host) {
    return std::make_unique<GpuBackend>(make_emulator(), std::move(host));
}

}  // namespace sinter::gpu
