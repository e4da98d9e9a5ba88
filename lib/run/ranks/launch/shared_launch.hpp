// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch that this rank makes a part of.
#pragma once

#include "place/share.hpp"
#include "run/parts.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/launch/parcels.hpp"
#include "run/ranks/launch/share.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace sinter::runtime {

/// Its parts, if it has any.
std::shared_ptr<const SharedKernel> bind_shared(const KernelStep& step, const std::int64_t* sizes, int threads);

class SharedLaunch {
  public:
    SharedLaunch(const Context& context, const KernelStep& step, const BodyPlan& plan, Frame& frame, const Numbers& sizes);

    /// Returns false if every rank has to make all of it.
    bool run();

  private:
    using Results = std::vector<Slot>;

    // What is done in all ways (shared_launch.cpp).
    bool describe();
    void gather_inputs();
    // Rows at computed numbers (looked_up.cpp).
    void look_up();
    void look_up(std::size_t k);
    std::vector<std::int64_t> rows_looked_up(std::size_t k) const;
    std::vector<std::int64_t> gather_readers(const std::vector<std::int64_t>& rows, const place::Layout& layout) const;
    void bring();
    void receive();
    template <class F>
    void each_piece(F f);
    bool looks_up() const;
    void allocate_brought(std::size_t p);
    void copy_own(std::size_t p, std::size_t k) const;
    bool may_view(std::size_t p, std::size_t k) const;
    bool view(std::size_t p, std::size_t k);
    /// Of what is brought for an input of a piece.
    std::size_t group_of(std::size_t p, std::size_t k) const { return p * step_.inputs.size() + k; }
    void allocate_points();
    void execute_points();
    Slot allocate_result(std::size_t k) const;
    /// `more`: elements that are written besides the rank's own.
    Slot allocate_rows(std::size_t k, const place::Layout& layout, Interval more = {}) const;
    std::vector<void*> buffers(std::size_t piece, const Results& results) const;
    void check(const ErrorSlot& error) const;
    std::uint64_t what_is_launched() const;
    void meet_others() const;
    void unsettle() const;
    void keep(Results results);

    // Loops that are cut into chunks (shared_chunks.cpp).
    struct Partials {
        std::vector<BufferRef> memory;
        std::vector<void*> arrays;
    };
    Partials allocate_partials(std::int64_t chunks) const;
    void execute_chunks();
    void make_partials(const Results& results, const Partials& partials);
    void fold();
    void scan();
    void exchange_scanned(const Results& results) const;
    void update();
    std::int64_t gather_updated(const Partials& mine, const Partials& all) const;
    void compact();
    struct Kept;
    std::vector<Kept> keep_pieces(const Results& results);
    std::vector<std::int64_t> gather_counts(std::int64_t own) const;
    Slot allocate_kept(std::size_t value, const std::vector<Kept>& kept, const std::vector<std::int64_t>& ends) const;
    void exchange_kept(std::size_t value, const std::vector<Kept>& kept, const std::vector<std::int64_t>& ends,
                       const Slot& to) const;

    std::int64_t bytes_each(std::size_t buffer) const;
    ir::SiteId site() const { return step_.sites.empty() ? ir::SiteId() : step_.sites.back(); }
    double bytes() const;

    const Context& context_;
    const KernelStep& step_;
    const BodyPlan& plan_;
    Frame& frame_;
    const Numbers& sizes_;
    const lower::Kernel& kernel_;
    const int ranks_, rank_;
    std::shared_ptr<const SharedKernel> shared_;
    place::LaunchFacts facts_;
    place::Share share_;
    std::vector<place::Piece> pieces_;         ///< of this rank
    std::vector<std::vector<Piece>> brought_;  ///< by piece and input
    std::vector<Shown> shown_;                 ///< by input, of this rank's rows
    Parcels parcels_;                          ///< what is brought, on its way
    Results rows_;                             ///< of points, before they are computed
};

/// Calls f for each of this rank's pieces; those that read its own elements only, which come first, while the others'
/// travel.
template <class F>
void SharedLaunch::each_piece(F f) {
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        const auto& brought = pieces_[p].brought;
        const bool waits = std::any_of(brought.begin(), brought.end(), [](const auto& parts) { return !parts.empty(); });
        if (waits) receive();
        f(p);
    }
    receive();
    parcels_.release();
}

/// Where a byte is, as far behind an address that need not exist.
inline void* at(void* base, std::int64_t bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(base) + bytes);
}

}  // namespace sinter::runtime
