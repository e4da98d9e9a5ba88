// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cards/kernel.hpp"
#include "jit/gpu/gpu.hpp"
#include "schedule/card/tuning.hpp"
#include "support/settings.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sinter/error.hpp>

namespace sinter::gpu {

namespace {

namespace tuning = schedule::card::tuning;

/// Seconds until the last card is done.
class CardsStopwatch final : public runtime::Stopwatch {
  public:
    explicit CardsStopwatch(std::vector<std::unique_ptr<runtime::Stopwatch>> cards) : cards_(std::move(cards)) {}
    double seconds() override {
        double most = 0;
        for (const auto& card : cards_) most = std::max(most, card->seconds());
        return most;
    }

  private:
    std::vector<std::unique_ptr<runtime::Stopwatch>> cards_;
};

class CardsBackend final : public runtime::Backend {
  public:
    explicit CardsBackend(std::vector<OneCard*> cards) : arrays_(std::make_shared<CardArrays>(std::move(cards))) {}

    std::string identity() const override {
        std::string all = "shared:";
        for (OneCard* card : cards()) all += " " + card->identity();
        return all;
    }
    std::vector<std::pair<std::string, std::string>> description() const override { return {{"cards", arrays_->device()}}; }
    double launch_bytes() const override { return first().launch_bytes(); }
    bool has_local_buffers() const override { return first().has_local_buffers(); }
    bool has_outer_folds() const override { return first().has_outer_folds(); }

    std::unique_ptr<runtime::CompiledKernel> compile(const lower::Kernel& kernel) override {
        return std::make_unique<CardsKernel>(kernel, arrays_);
    }
    runtime::KernelTexts texts(const lower::Kernel& kernel) override {
        runtime::KernelTexts texts = first().texts(kernel);
        texts.schedule += CardsKernel(kernel, arrays_).shares(typical_sizes(kernel).data()) + "\n";
        return texts;
    }

    BufferRef allocate(std::size_t bytes) override { return arrays_->allocate(bytes, arrays_); }
    runtime::RemoteMemory* remote() override { return arrays_.get(); }

    /// Large arrays of the host come to all cards, a part each. The caller's memory may change between calls, so copies of
    /// it are not kept.
    BufferRef resident(const BufferRef& array) override {
        if (arrays_->contains(array->data)) return array;
        const SectionLock lock(copies_of_arrays());
        if (!array->on_device && array->copy && arrays_->contains(array->copy->data)) return array->copy;
        BufferRef copy = allocate(array->bytes);
        const BufferRef source = on_host(array);
        const bool is_spread = array->bytes >= tuning::least_spread_bytes || setting("SINTER_SHARE") == "always";
        is_spread ? arrays_->spread(copy->data, source->data, array->bytes)
                  : arrays_->write(copy->data, source->data, array->bytes);
        if (array->reusable && !array->on_device) array->copy = copy;
        return copy;
    }

    bool copy(void* to, const void* from, std::size_t bytes) override {
        return bytes == 0 ? arrays_->contains(to) && arrays_->contains(from) : arrays_->copy(to, from, bytes);
    }

    /// On the first card.
    bool sort(std::span<const runtime::SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
              std::int64_t count) override {
        const SectionLock lock(arrays_->mutex());
        std::vector<CardArrays::Use> uses;
        for (const runtime::SortColumn& column : columns) {
            const Interval all = bytes_of(column, rows * count), some{0, std::max<std::int64_t>(all.end, 1)};
            uses.push_back({0, column.from, {all}, some});
            uses.push_back({0, column.to, {}, some});
        }
        try {
            arrays_->make_ready(uses);
        } catch (...) {
            arrays_->settle();
            throw;
        }
        std::vector<runtime::SortColumn> there;
        for (const runtime::SortColumn& column : columns)
            there.push_back({column.scalar, arrays_->address(0, column.from), arrays_->address(0, column.to)});
        if (!first().sort(there, keys, descending, rows, count)) return false;
        for (const runtime::SortColumn& column : columns) arrays_->written(0, column.to, bytes_of(column, rows * count));
        return true;
    }

    void finish() override {
        for (OneCard* card : cards()) card->finish();
    }
    std::unique_ptr<runtime::Stopwatch> stopwatch() override {
        std::vector<std::unique_ptr<runtime::Stopwatch>> all;
        for (OneCard* card : cards())
            if (auto watch = card->stopwatch()) all.push_back(std::move(watch));
        if (all.size() < cards().size()) return nullptr;
        return std::make_unique<CardsStopwatch>(std::move(all));
    }
    double copy_bandwidth() override {
        double all = 0;
        for (OneCard* card : cards()) all += card->copy_bandwidth();
        return all;
    }

  private:
    const std::vector<OneCard*>& cards() const { return arrays_->cards(); }
    OneCard& first() const { return *cards().front(); }
    static Interval bytes_of(const runtime::SortColumn& column, std::int64_t elements) {
        return {0, elements * detail::size_of(column.scalar)};
    }

    const std::shared_ptr<CardArrays> arrays_;
};

}  // namespace

std::unique_ptr<runtime::Backend> make_cards_backend(const std::vector<runtime::Backend*>& cards) {
    std::vector<OneCard*> all;
    for (runtime::Backend* card : cards) all.push_back(static_cast<OneCard*>(card));
    for (OneCard* card : all)
        if (card->device().architecture() != all[0]->device().architecture())
            throw DeviceError(fmt::format("gpu: {} and {} are of different architectures and cannot share runs",
                                          all[0]->device().name(), card->device().name()),
                              location());
    return std::make_unique<CardsBackend>(std::move(all));
}

}  // namespace sinter::gpu
