// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/rules/repeat.hpp"

#include "fuse/copies/body_copies.hpp"
#include "fuse/graph/bodies.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

/// The cost if one cluster reads what the body has to read and writes what it has to write.
double least_possible(const DepGraph& graph, const Prices& prices) {
    if (graph.vertices.empty()) return 0;
    double total = prices.launch();
    std::map<ir::ValueId, double> reads;
    for (const Access& access : graph.accesses)
        if (!access.producer.valid() && graph.roles[access.reader.index] != Role::barrier)
            reads[access.variable] = std::max(reads[access.variable], prices.read(graph, access));
    for (const auto& [variable, price] : reads) total += price;
    for (std::size_t level = graph.base; level < graph.stored.size(); ++level)
        if (graph.stored[level]) total += prices.written(graph.types[level]);
    return total;
}

class Chooser {
  public:
    explicit Chooser(Source source)
        : source_(std::move(source)), extents_(source_.extents(source_.program)), prices_(source_.function, extents_) {}

    Repetition run() {
        std::size_t number = 0;
        for_each_body(source_.program.body, {}, [&](const ir::Body& body, const std::vector<ir::Type>& outer) {
            add(number++, dep_graph(source_.program, body, outer));
        });
        copy();
        return std::move(result_);
    }

  private:
    void add(std::size_t number, const DepGraph& graph) {
        const auto [found, depend] = candidates(graph, extents_, prices_);
        result_.candidates += found.size();
        result_.depends_on_extents = result_.depends_on_extents || depend;
        BodyCopies copies;
        if (found.empty() || source_.end.passed()) {
            copies = {{}, optimal(graph, prices_), 0, 0, {}, found.empty()};
            copies.lower = copies.best.lower;
        } else {
            copies = choose_copies(source_, number, found, least_possible(graph, prices_));
        }
        result_.cost += copies.best.cost + copies.arithmetic, result_.lower += copies.lower;
        result_.arithmetic += copies.arithmetic;
        result_.exhaustive = result_.exhaustive && copies.exhaustive;
        result_.optima.push_back(std::move(copies.best));
        places_.merge(places_of(source_, found, copies.chosen));
        groups_.merge(copies.groups);
        for (std::size_t k : copies.chosen) chosen_.push_back(found[k].binding);
    }

    void copy() {
        result_.program = source_.program;
        if (chosen_.empty()) return;
        Copies copies = with_copies(std::move(result_.program), places_, no_limit, groups_);
        const std::map<Place, std::size_t> count = times(copies);
        result_.program = std::move(copies.program);
        for (const ir::Binding* binding : chosen_)
            result_.repeated.push_back({binding->site, ir::name_of(binding->op), count.at(source_.places.at(binding))});
    }

    Source source_;
    Extents extents_;
    Prices prices_;
    std::set<Place> places_;                  ///< of what is copied
    Groups groups_;                           ///< of what reads that
    std::vector<const ir::Binding*> chosen_;  ///< without views
    Repetition result_;
};

}  // namespace

Repetition repeat(const ir::Program& program, const ExtentsOf& extents, CostFunction function,
                  std::chrono::duration<double> deadline) {
    return Chooser({program, extents, function, solve::Deadline(deadline), places(program)}).run();
}

}  // namespace sinter::fuse
