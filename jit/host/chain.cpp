// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/chain.hpp"

#include "run/threads/threads.hpp"
#include "support/buffer.hpp"
#include "support/stack_array.hpp"

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace sinter::host {

using emit::Arguments;
using emit::Start;
using emit::Tile;

namespace {

class Chain {
  public:
    Chain(const WayCode& way_code, const schedule::Tasks& tasks, const schedule::Facts& facts, const lower::Kernel& kernel,
          Arguments arguments, schedule::Interval chunks, const RunControl* control, void* const* const* own)
        : way_code_(way_code),
          tasks_(tasks),
          inst_(*facts.chunked),
          kernel_(kernel),
          arguments_(arguments),
          range_(chunks),
          next_(chunks.begin),
          control_(control),
          own_(own),
          done_(new std::atomic<std::int64_t>[static_cast<std::size_t>(tasks.points)]) {
        for (std::int64_t row = 0; row < tasks.points; ++row) done_[static_cast<std::size_t>(row)] = chunks.begin;
        for (std::int64_t chunks : {tasks.chunks, tasks.chunks + 1})
            for (std::size_t bytes : facts.state_bytes) {
                memory_.push_back(allocate(static_cast<std::size_t>(chunks * tasks.points) * bytes));
                arrays_.push_back(memory_.back()->data);
            }
        arguments_.partials = arrays_.data();
    }

    void run(int threads) {
        if (threads == 1) {
            for (std::int64_t k = range_.begin; k < range_.end && !stops(); ++k) complete(k, nullptr);
        } else {
            const std::vector<Aside> asides = make_asides(threads);
            runtime::parallel_for(threads, threads, [&](std::int64_t worker) {
                for (std::int64_t k; (k = next_.fetch_add(1)) < range_.end && !stops();)
                    complete(k, &asides[static_cast<std::size_t>(worker)]);
            });
        }
    }

    const Arguments& arguments() const { return arguments_; }
    /// Of a compact.
    std::int64_t kept() const { return static_cast<const std::int64_t*>(arrays_[1])[range_.end]; }

  private:
    /// Where a thread gathers the kept elements of its chunk: one array per value. Empty for scans.
    using Aside = std::vector<BufferRef>;

    std::size_t kept_arrays() const { return inst_.op == ir::Op::compact ? inst_.blocks[0].results.size() - 1 : 0; }
    std::size_t bytes_of(std::size_t value) const {
        return static_cast<std::size_t>(detail::size_of(kernel_.buffers[inst_.bits + value].scalar));
    }

    /// Made before threads start, because these must not throw.
    std::vector<Aside> make_asides(int threads) const {
        std::vector<Aside> asides(static_cast<std::size_t>(threads));
        for (Aside& aside : asides)
            for (std::size_t v = 0; v < kept_arrays(); ++v)
                aside.push_back(allocate(static_cast<std::size_t>(tasks_.chunk_length) * bytes_of(v)));
        return asides;
    }

    std::int64_t row(std::int64_t k) const { return k / tasks_.chunks; }

    Tile tile(std::int64_t k, Start start) const {
        Tile t{};
        t.row_begin = row(k);
        t.row_end = t.row_begin + 1;
        t.chunk = k % tasks_.chunks;
        t.reduce_begin = t.chunk * tasks_.chunk_length;
        t.reduce_end = std::min(tasks_.reduce, t.reduce_begin + tasks_.chunk_length);
        t.start = start;
        return t;
    }

    /// `aside` is null on one thread, which has completed all chunks before.
    void complete(std::int64_t k, const Aside* aside) {
        if (inst_.op == ir::Op::compact) return compact(k, aside);
        if (aside) {
            execute(way_code_.kernel(), k, Start::fresh);
            if (!await(k)) return;
            execute(way_code_.chain(), k, Start::fresh);
            hand_on(k);
        }
        execute(way_code_.kernel(), k, Start::accumulate);
        if (!aside) execute(way_code_.chain(), k, Start::fresh);
    }

    void execute(emit::Entry entry, std::int64_t k, Start start) const {
        const Tile t = tile(k, start);
        if (!own_) return entry(&arguments_, &t);
        Arguments arguments = arguments_;
        arguments.buffers = own_[k];
        entry(&arguments, &t);
    }

    bool stops() const { return control_ && control_->stops(); }

    /// Waits until the chunks before it in the same row have handed on their totals. Returns false if the run stops, because
    /// they may then never do so.
    bool await(std::int64_t k) const {
        const std::atomic<std::int64_t>& done = done_[static_cast<std::size_t>(row(k))];
        for (int looks = 0; done.load(std::memory_order_acquire) < k % tasks_.chunks; ++looks) {
            if (control_ && control_->stopped()) return false;
            if (looks > schedule::tuning::looks_awake) std::this_thread::yield();
        }
        return true;
    }

    void hand_on(std::int64_t k) {
        done_[static_cast<std::size_t>(row(k))].store(k % tasks_.chunks + 1, std::memory_order_release);
    }

    /// The kept elements of a chunk are gathered separately, and copied when their position is known.
    void compact(std::int64_t k, const Aside* aside) {
        auto* counts = static_cast<std::int64_t*>(arrays_[0]);
        auto* befores = static_cast<std::int64_t*>(arrays_[1]);
        if (k == range_.begin) befores[k] = 0;
        StackArray<void*, 16> buffers(kernel_.buffers.size());
        std::copy_n(arguments_.buffers, buffers.size(), buffers.data());
        auto place = [&](std::size_t v) {
            return static_cast<char*>(arguments_.buffers[inst_.bits + v]) +
                   static_cast<std::size_t>(befores[k]) * bytes_of(v);
        };
        for (std::size_t v = 0; v < kept_arrays(); ++v) buffers[inst_.bits + v] = aside ? (*aside)[v]->data : place(v);
        Arguments arguments = arguments_;
        arguments.buffers = buffers.data();
        const Tile t = tile(k, Start::fresh);
        counts[k] = 0;
        way_code_.kernel()(&arguments, &t);
        if (aside && !await(k)) return;
        befores[k + 1] = befores[k] + counts[k];
        if (!aside) return;
        hand_on(k);
        for (std::size_t v = 0; v < kept_arrays(); ++v)
            std::memcpy(place(v), (*aside)[v]->data, static_cast<std::size_t>(counts[k]) * bytes_of(v));
    }

    const WayCode& way_code_;
    const schedule::Tasks& tasks_;
    const lower::Inst& inst_;
    const lower::Kernel& kernel_;
    Arguments arguments_;
    const schedule::Interval range_;  ///< the chunks, of all rows
    std::atomic<std::int64_t> next_;
    const RunControl* control_;
    void* const* const* own_;
    std::unique_ptr<std::atomic<std::int64_t>[]> done_;  ///< by row: number of chunks that have handed on
    std::vector<BufferRef> memory_;
    std::vector<void*> arrays_;
};

}  // namespace

void launch_chained(const WayCode& way_code, const schedule::Tasks& tasks, const schedule::Facts& facts,
                    const lower::Kernel& kernel, Arguments arguments, int threads, const RunControl* control,
                    void* const* const* own) {
    const WayCode::Working working(way_code, tasks.work);
    Chain chain(way_code, tasks, facts, kernel, arguments, {0, tasks.points * tasks.chunks}, control, own);
    chain.run(threads);
    if (arguments.error->check.load() != 0 || (control && control->stopped())) return;
    Tile all{};
    all.row_end = tasks.points;
    way_code.finish()(&chain.arguments(), &all);
}

std::int64_t keep_chained(const WayCode& way_code, const schedule::Tasks& tasks, const schedule::Facts& facts,
                          const lower::Kernel& kernel, Arguments arguments, schedule::Interval chunks, int threads,
                          const RunControl* control) {
    if (chunks.empty()) return 0;
    const WayCode::Working working(way_code, tasks.work);
    Chain chain(way_code, tasks, facts, kernel, arguments, chunks, control, nullptr);
    chain.run(threads);
    return chain.kept();
}

}  // namespace sinter::host
