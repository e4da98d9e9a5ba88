// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs made of several processes. The line `Ranks ranks(argc, argv);` is all that a program needs: ./a is one rank,
/// mpirun -n 4 ./a are four, and the results have the same bits.
#pragma once

#include <sinter/combinators/from.hpp>
#include <sinter/detail/parts.hpp>
#include <sinter/detail/rank_explanation.hpp>
#include <sinter/detail/ranks.hpp>

#include <string>
#include <vector>

namespace sinter {

/// The job, for as long as this object lives. Without a launcher, or with SINTER_RANKS=off, there is one rank; under mpirun
/// or srun there are as many as were started. DeviceError where there is no transport between them; UsageError if there is
/// another Ranks.
class Ranks {
  public:
    Ranks(int& argc, char**& argv, location where = location::current()) { detail::join_ranks(&argc, &argv, where); }
    explicit Ranks(location where = location::current()) { detail::join_ranks(nullptr, nullptr, where); }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    ~Ranks() { detail::leave_ranks(); }

    int count() const { return detail::rank_count(); }
    int rank() const { return detail::own_rank(); }
    /// True on rank 0, which is the one to print.
    bool first() const { return rank() == 0; }
    /// Bytes of arrays and of partial results that this rank has received from others so far.
    std::int64_t received() const { return detail::bytes_received(); }
    /// "4 ranks, this is 0; Open MPI v4.1.4".
    std::string explain() const {
        if (count() == 1) return "1 rank, no transport";
        return std::to_string(count()) + " ranks, this is " + std::to_string(rank()) + "; " + detail::transport_name();
    }
};

/// How so many ranks would share what run would do with an array; 0: those that there are. Nothing is run, and no messages
/// are exchanged. Where the process is alone, arrays of 64 KiB and more are taken to be in blocks.
template <ArrayLike A>
RankExplanation explain_ranks(const A& a, int ranks = 0, location where = location::current()) {
    return detail::explain_ranks(a.leaves().leaf, detail::leaf_count<element_t<A>>, ranks, where);
}

/// An array of the rows of all ranks, in the order of ranks: `values` are this rank's rows, with this shape. Outermost
/// extents are added up; the others have to be the same, or all ranks throw a ShapeError. All ranks have to call it. Rows
/// stay with the ranks that a.part() names, unless the array is small.
template <class T, int Rank>
Array<T, Rank> from_parts(const std::vector<T>& values, const Shape<Rank>& shape, location where = location::current()) {
    static_assert(Rank > 0, "from_parts: parts have rows, so they are of rank 1 at least");
    const auto ranks = static_cast<std::size_t>(detail::rank_count());
    std::array<std::int64_t, Rank> mine{};
    std::int64_t count = 1;
    for (int k = 0; k < Rank; ++k) {
        mine[static_cast<std::size_t>(k)] = shape.sizes[k].literal;
        count *= mine[static_cast<std::size_t>(k)];
    }
    std::uint64_t type = Rank;
    for (std::size_t k = 0; k < detail::scalars_of<T>.count; ++k)
        type = type * 31 + static_cast<std::uint64_t>(detail::scalars_of<T>.scalars[k]) + 1;
    detail::meet_ranks("from_parts", type, where);
    // Every rank has to know of every other whether its values fit.
    std::vector<std::int64_t> all(ranks * (Rank + 1)), own(mine.begin(), mine.end());
    own.push_back(static_cast<std::int64_t>(values.size()) == count ? 1 : 0);
    std::vector<std::size_t> bytes(ranks, own.size() * sizeof(std::int64_t));
    detail::gather_ranks(own.data(), all.data(), bytes.data(), where);
    std::int64_t rows = 0;
    std::vector<std::int64_t> rows_of_ranks(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        const std::int64_t* extents = &all[r * (Rank + 1)];
        if (extents[Rank] == 0)
            throw ShapeError("from_parts: rank " + std::to_string(r) + " passes another number of values than its shape has",
                             where);
        rows += extents[0];
        for (int k = 1; k < Rank; ++k)
            if (extents[k] != all[static_cast<std::size_t>(k)])
                throw ShapeError(
                    "from_parts: the parts of ranks 0 and " + std::to_string(r) + " differ in axis " + std::to_string(k),
                    where);
        rows_of_ranks[r] = extents[0];
    }
    const Array<T, Rank> part = [&] {
        try {
            return from(values, shape, where);
        } catch (...) {
            detail::fail_ranks(where);
        }
    }();
    mine[0] = rows;
    detail::Leaves<T> leaves;
    for (std::size_t k = 0; k < detail::leaf_count<T>; ++k)
        leaves.leaf[k] = detail::join_parts(part.leaves().leaf[k], detail::scalars_of<T>.scalars[k], rows_of_ranks.data(),
                                            mine.data(), Rank, where);
    return Array<T, Rank>(std::move(leaves));
}

}  // namespace sinter
