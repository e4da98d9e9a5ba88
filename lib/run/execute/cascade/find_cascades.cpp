// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes as many launches together as can follow each other in tiles, and then fewer, until that pays.
#include "run/execute/cascade/cascade.hpp"
#include "run/execute/cascade/members.hpp"
#include "support/stack_array.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace sinter::runtime {

using schedule::Iteration;
using schedule::PartFacts;
using schedule::Reach;
using schedule::StepLaunch;

namespace {

/// A launch as a kernel in parts, which are given no memory of points.
class PointParts final : public PartKernel {
  public:
    /// `given`: the buffers of parts. `all`: those of the kernel, with those of points.
    PointParts(std::shared_ptr<const SharedKernel> kernel, std::size_t given, std::size_t all)
        : kernel_(std::move(kernel)), given_(given), all_(all) {}

    double work() const override { return kernel_->work(); }
    void launch(void* const* buffers, std::int64_t begin, std::int64_t end, bool kept, ErrorSlot& error) const override {
        StackArray<void*, 16> own(all_);
        std::copy_n(buffers, given_, own.begin());
        kernel_->launch_points(own.begin(), {begin, end}, error, kept);
    }

  private:
    std::shared_ptr<const SharedKernel> kernel_;
    std::size_t given_, all_;
};

/// Describes launches as those of an iteration.
class CascadeWriter {
  public:
    CascadeWriter(const MemberFinder& finder, const BodyPlan& plan, const Members& members)
        : finder_(finder), members_(members), iteration_(cascade_->body.iteration) {
        cascade_->first = members.steps.front().step, cascade_->last = members.steps.back().step;
        cascade_->before = members.before;
        for (std::size_t k = cascade_->first; k <= cascade_->last; ++k)
            dying_.insert(dying_.end(), plan.steps[k].dying.begin(), plan.steps[k].dying.end());
    }

    /// Null where tiles of chunks are not those of the results.
    std::unique_ptr<Cascade> run() {
        find_states();
        for (const Members::Member& member : members_.steps) add(finder_.launch(member.step), member.chunked);
        auto points = points_.begin();
        for (ValueId id : cascade_->results) iteration_.results.push_back(id.valid() ? values_.at(id.index) : *points++);
        return find_unit() ? std::move(cascade_) : nullptr;
    }

    /// Bytes of what need not be in memory as a whole.
    double inner_bytes() const { return inner_bytes_; }

  private:
    static Iteration::Value value(const RunLaunch& launch, std::size_t output) {
        const lower::Buffer& buffer = launch.output(output);
        return {launch.elements(buffer), detail::size_of(buffer.scalar)};
    }

    void find_states() {
        for (const auto& [step, chunked] : members_.steps) {
            const RunLaunch& launch = finder_.launch(step);
            for (std::size_t o = 0; o < launch.step->outputs.size(); ++o)
                if (launch.is_written(chunked, o)) find_state(launch.step->outputs[o], value(launch, o));
            if (chunked) add_state({}, {launch.facts(true).extent, 0});
        }
        iteration_.states = iteration_.values.size();
    }

    void find_state(ValueId id, const Iteration::Value& made) {
        if (std::find(dying_.begin(), dying_.end(), id) == dying_.end())
            add_state(id, made);
        else
            inner_bytes_ += static_cast<double>(made.elements * made.bytes_each);
    }

    void add_state(ValueId id, const Iteration::Value& made) {
        cascade_->results.push_back(id);
        iteration_.values.push_back(made);
    }

    void add(const RunLaunch& launch, bool chunked) {
        const std::size_t inputs = launch.step->inputs.size(), outputs = launch.step->outputs.size();
        const PartFacts& facts = launch.facts(chunked);
        StepLaunch made;
        made.facts.possible = true, made.facts.extent = facts.extent, made.facts.checked = facts.checked;
        made.work = launch.kernel->work();
        made.work_of_part = chunked ? 0 : launch.kernel->work_of_part();
        made.least = chunked ? 1 : std::min(launch.kernel->least_points(), facts.extent);
        for (std::size_t k = 0; k < inputs; ++k) add_input(launch, k, facts.reach[k], made);
        std::vector<bool> written;
        for (std::size_t o = 0; o < outputs; ++o) written.push_back(launch.is_written(chunked, o));
        const auto kernel = chunked ? chunk_parts(launch, written, made)
                                    : std::make_shared<const PointParts>(launch.kernel, inputs + outputs, launch.buffers());
        for (std::size_t o = 0; o < outputs; ++o)
            if (written[o]) add_output(launch, o, facts.reach[inputs + o], made);
        if (chunked) add_points(facts.extent, made);
        cascade_->body.launches.push_back({launch.step, kernel});
        iteration_.launches.push_back(std::move(made));
    }

    void add_input(const RunLaunch& launch, std::size_t k, const Reach& reach, StepLaunch& made) {
        const ValueId id = launch.step->inputs[k];
        const auto value = values_.find(id.index);
        const lower::Buffer& buffer = launch.input(k);
        const std::int64_t bytes = launch.elements(buffer) * detail::size_of(buffer.scalar);
        made.facts.reach.push_back(reach);
        made.bytes_read.push_back(reach.kind == Reach::Kind::nothing ? 0 : static_cast<double>(bytes));
        made.reads.push_back(value == values_.end() ? std::nullopt : std::optional(value->second));
        if (!made.reads.back()) cascade_->sources.push_back({iteration_.launches.size(), k, id});
    }

    /// Takes memory for partial results besides, which the iteration does not describe.
    std::shared_ptr<const PartKernel> chunk_parts(const RunLaunch& launch, const std::vector<bool>& written,
                                                  StepLaunch& made) {
        const std::size_t inputs = launch.step->inputs.size();
        auto parts = std::make_shared<const ChunkParts>(launch.kernel, inputs, written, launch.buffers());
        made.facts.reach.resize(inputs + parts->partials());
        made.reads.resize(inputs + parts->partials());
        made.bytes_read.resize(inputs + parts->partials());
        cascade_->chunked.push_back({iteration_.launches.size(), parts});
        return parts;
    }

    void add_output(const RunLaunch& launch, std::size_t o, const Reach& reach, StepLaunch& made) {
        values_.emplace(launch.step->outputs[o].index, iteration_.values.size());
        add_value(value(launch, o), reach, launch.output(o).takes, made);
    }

    /// All points of a launch in chunks, as if it wrote something for each: so all are wanted.
    void add_points(std::int64_t extent, StepLaunch& made) {
        points_.push_back(iteration_.values.size());
        add_value({extent, 0}, {Reach::Kind::near, 1, 0, 0}, std::nullopt, made);
    }

    void add_value(const Iteration::Value& value, const Reach& reach, std::optional<std::size_t> takes, StepLaunch& made) {
        made.facts.reach.push_back(reach);
        made.writes.push_back(iteration_.values.size());
        made.copies.emplace_back();
        made.takes.push_back(takes);
        iteration_.values.push_back(value);
    }

    bool find_unit() {
        const std::int64_t rows = schedule::TimeSteps(iteration_, 1, INT64_MAX).rows();
        for (const auto& [step, chunked] : members_.steps) {
            if (!chunked) continue;
            const SharedKernel& kernel = *finder_.launch(step).kernel;
            iteration_.unit = {kernel.chunk_length(), kernel.chunks()};
            return rows == kernel.reduced().extent;
        }
        std::int64_t least = 1;
        for (const StepLaunch& launch : iteration_.launches) least = std::max(least, launch.least);
        iteration_.unit = {least, std::max<std::int64_t>(1, rows / least)};
        return true;
    }

    const MemberFinder& finder_;
    const Members& members_;
    std::unique_ptr<Cascade> cascade_ = std::make_unique<Cascade>();
    Iteration& iteration_;
    std::vector<ValueId> dying_;
    std::map<std::size_t, std::size_t> values_;  ///< by variable
    std::vector<std::size_t> points_;            ///< values that stand for the points of launches in chunks
    double inner_bytes_ = 0;
};

/// Whether tiles together execute all indices of launches that may report something, and each tile those of whole chunks.
class Coverage {
  public:
    explicit Coverage(const Cascade& cascade)
        : cascade_(cascade), steps_(cascade.body.iteration, 1, cascade.choice.rows), done_(launches().size()) {}

    bool is_whole() {
        for (std::int64_t tile = 0; tile < steps_.tiles(); ++tile)
            for (const schedule::TileOfSteps::Part& part : steps_.tile(tile).parts)
                if (!add(tile, part)) return false;
        for (std::size_t k = 0; k < done_.size(); ++k)
            if (launches()[k].facts.checked && done_[k] < launches()[k].facts.extent) return false;
        return true;
    }

  private:
    const std::vector<StepLaunch>& launches() const { return cascade_.body.iteration.launches; }

    bool is_chunked(std::size_t launch) const {
        return std::any_of(cascade_.chunked.begin(), cascade_.chunked.end(),
                           [&](const Cascade::Chunked& each) { return each.launch == launch; });
    }

    bool add(std::int64_t tile, const schedule::TileOfSteps::Part& part) {
        const PartFacts& facts = launches()[part.launch].facts;
        const std::int64_t begin = tile * steps_.rows(),
                           end = tile + 1 == steps_.tiles() ? facts.extent : begin + steps_.rows();
        if (is_chunked(part.launch) && !(part.indices == schedule::Interval{begin, end})) return false;
        std::int64_t& done = done_[part.launch];
        if (facts.checked && part.indices.begin > done) return false;
        done = std::max(done, part.indices.end);
        return true;
    }

    const Cascade& cascade_;
    schedule::TimeSteps steps_;
    std::vector<std::int64_t> done_;  ///< by launch: indices before this have been executed
};

/// Null if it does not pay.
std::unique_ptr<const Cascade> cascade_of(const MemberFinder& finder, const BodyPlan& plan, const Members& members,
                                          int threads) {
    CascadeWriter writer(finder, plan, members);
    auto cascade = writer.run();
    const double least = wanted_rows() ? 0 : static_cast<double>(near_caches().second) * threads;
    if (!cascade || writer.inner_bytes() <= least) return nullptr;
    cascade->choice = schedule::choose_rows_of_cascade(cascade->body.iteration, threads, near_caches(), wanted_rows());
    if (cascade->choice.rows == 0) return nullptr;
    const std::int64_t tiles = schedule::TimeSteps(cascade->body.iteration, 1, cascade->choice.rows).tiles();
    const std::size_t parts = static_cast<std::size_t>(tiles) * members.steps.size();
    if (parts > tuning::most_known_parts || !Coverage(*cascade).is_whole()) return nullptr;
    cascade->round.emplace(cascade->body, 1, cascade->choice.rows);
    return cascade;
}

}  // namespace

std::shared_ptr<const Cascades> find_cascades(const Context& context, const BodyPlan& plan, const LaunchRun& run,
                                              const Frame& frame) {
    auto found = std::make_shared<Cascades>();
    MemberFinder finder(context, plan, run, frame);
    if (!finder.describe_launches()) return found;
    for (std::size_t k = run.first; k < run.last;) {
        std::unique_ptr<const Cascade> cascade;
        for (Members members = finder.from(k); members.steps.size() > 1 && !cascade; members.drop_last())
            cascade = cascade_of(finder, plan, members, context.call.threads);
        k = cascade ? cascade->last + 1 : k + 1;
        if (cascade) found->push_back(std::move(cascade));
    }
    return found;
}

}  // namespace sinter::runtime
