// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a large plate, on any number of ranks, with checkpoints: a job that ends early goes on where it was when it is
// started again, on as many ranks as there are then, with the same bits.
//
//   plate_on_ranks [size] [steps] [steps between checkpoints] [checkpoint]
//   mpirun -n 4 plate_on_ranks 20000 10000 500 /scratch/plate.npz
//
// plate_on_ranks.slurm starts it as a job of Slurm.
#include <sinter/checkpoint_file.hpp>
#include <sinter/ranks.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace sinter;

namespace {

struct Job {
    std::int64_t size = 512, steps = 200, between = 50;
    std::string checkpoint = "plate.npz";
};

Job job_of(int argc, char** argv) {
    Job job;
    if (argc > 1) job.size = std::atoll(argv[1]);
    if (argc > 2) job.steps = std::atoll(argv[2]);
    if (argc > 3) job.between = std::max(1LL, std::atoll(argv[3]));
    if (argc > 4) job.checkpoint = argv[4];
    return job;
}

/// What a checkpoint keeps.
struct State {
    Array<float, 2> heat;
    std::int64_t step = 0;
};

/// A plate with a hot edge.
Array<float, 2> plate(std::int64_t size) {
    return run(generate(shape(size, size), [](auto i, auto) { return select(i < 8, 100.f, 20.f); }));
}

State begin(const Job& job) {
    if (!has_checkpoint(job.checkpoint)) return {plate(job.size), 0};
    return {load_checkpoint<float, 2>(job.checkpoint, "heat"), load_checkpoint<std::int64_t>(job.checkpoint, "step")};
}

void save(const Job& job, const State& state) { save_checkpoint(job.checkpoint, "heat", state.heat, "step", state.step); }

float total(const Array<float, 2>& heat) { return run(sum(heat, axes(0, 1), compensated)).item(); }

}  // namespace

int main(int argc, char** argv) {
    const Ranks ranks(argc, argv);
    const Job job = job_of(argc, argv);
    auto diffuse = compile([](Delayed<float, 2> heat) {
        return stencil([](auto s) { return s(0, 0) + 0.2f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0)); },
                       boundary::clamp, heat);
    });
    State state = begin(job);
    if (ranks.first())
        std::printf("%s; from step %" PRId64 " to %" PRId64 "\n", ranks.explain().c_str(), state.step, job.steps);
    while (state.step < job.steps) {
        const std::int64_t end = std::min(job.steps, state.step + job.between);
        for (; state.step < end; ++state.step) state.heat = diffuse(std::move(state.heat));
        save(job, state);
    }
    const float before = total(plate(state.heat.shape()[0])), after = total(state.heat);
    if (ranks.first()) std::printf("heat in the plate: %a, at the start %a\n", after, before);
    const State saved = begin(job);
    const auto mine = state.heat.local(), again = saved.heat.local();
    const bool same = saved.step == state.step && std::equal(mine.begin(), mine.end(), again.begin(), again.end());
    return same && std::abs(after - before) < 1e-4f * before ? 0 : 1;
}
