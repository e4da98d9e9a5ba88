// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of a cluster's variables at points, as nodes of the graph.
#pragma once

#include "lower/attempt/form.hpp"
#include "lower/index/point.hpp"
#include "lower/kernel.hpp"
#include "lower/lower.hpp"

#include <map>
#include <tuple>

namespace sinter::lower {

using ir::ValueId;

/// The checks that a kernel reports, each listed once.
class CheckTable {
  public:
    std::uint64_t add(const Check& check);
    std::vector<Check> take() { return std::move(checks_); }

  private:
    std::vector<Check> checks_;
};

/// Everything that one attempt at lowering works on.
struct Workspace {
    const ir::Program& program;  ///< without math operations
    Options options;
    std::vector<ir::Type> types;          ///< of all variables
    std::vector<Definition> definitions;  ///< of the variables that are not inputs
    ir::SizeTable sizes;
    Graph graph;
    Indexing indexing{graph, sizes};
    CheckTable checks;
    std::set<SizeId> nonempty;                       ///< see Kernel::nonempty
    std::vector<std::vector<bool>> used_parameters;  ///< by binding: the parameters that its function uses

    Workspace(const ir::Program& cluster, const Options& o, std::size_t space_rank);

    /// The index, checked. If it has been checked here already, that check is enough: it failed first.
    Ref checked_index(const Check& check, Ref index, Ref extent);
};

/// Pulls values. Chains of operations do not lead to recursion: a cluster may have any length.
class Pull {
  public:
    explicit Pull(Workspace& workspace) : work_(workspace) {}

    /// The value of a variable at a point of its shape, in the current region.
    Ref value(ValueId id, const Point& point);
    /// A rank-0 variable, or one with the shape of the kernel's points, of which `point` is the current one. Computed in the
    /// outermost region.
    Ref scalar(ValueId id, const Point& point = {});
    /// Sets the value of a variable at a point.
    void define(ValueId id, const Point& point, Ref ref);
    /// The element of an array that is read at computed indices, which are checked where necessary.
    Ref read(ValueId array, const std::vector<Ref>& index, ir::SiteId site);
    /// Computed indices of an array as a point of it; they are checked where necessary.
    Point point_of(ValueId array, const std::vector<Ref>& index, ir::SiteId site);

  private:
    struct Demand {
        ValueId id;
        Point point;
        RegionId region;  ///< the region that asks for it
    };
    using Key = std::tuple<std::uint32_t, bool, std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>>;
    struct Known {
        RegionId region;  ///< available in this region and inside it
        Ref ref;
    };

    static Key key(ValueId id, const Point& point);
    const Ref* known(const Demand& demand) const;
    void satisfy(const Demand& demand, std::vector<Demand>& missing);
    void need(std::vector<Demand>& missing, ValueId id, const Point& point, RegionId region) const;
    Ref load(ValueId input, const Point& point);
    void map(const Demand& demand, const Definition& definition, const ir::Map& op, std::vector<Demand>& missing);
    void view(const Demand& demand, const ir::View& op, std::vector<Demand>& missing);
    void pad(const Demand& demand, const ir::View& op, std::vector<Demand>& missing);
    void gather(const Demand& demand, const Definition& definition, const ir::Gather& op, std::vector<Demand>& missing);
    void copy(const Demand& demand, ValueId source, const Point& point, std::vector<Demand>& missing);
    void defined_elsewhere(const Demand& demand, const ir::Binding& binding);

    Workspace& work_;
    std::map<Key, Known> known_;
    std::map<std::pair<Key, RegionId>, RegionId> branches_;  ///< by demand for a padded array: the region in which its
                                                             ///< argument is read
};

/// The results of a function for these parameters, in the current region (apply.cpp). `captures` are the arrays that it
/// reads.
std::vector<Ref> apply(Workspace& work, Pull& pull, const ir::Fn& fn, std::vector<Ref> parameters,
                       const std::vector<ValueId>& captures, ir::SiteId site);

/// The parameters that a function uses.
std::vector<bool> used_parameters(const ir::Fn& fn);

}  // namespace sinter::lower
