// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of GradBench and what Sinter answers.
#ifdef SINTER_HAVE_JSON

#include "gradbench/reference.hpp"
#include "gradbench/session.hpp"

namespace gradbench::reference {

namespace {

/// One evaluation of one module.
class Evaluation {
  public:
    explicit Evaluation(const std::string& module) : module_(module) {
        const Json started = ask({{"kind", "start"}, {"eval", module}});
        CHECK(started == Json{{"id", 0}, {"tool", "sinter"}});
        CHECK(ask({{"kind", "define"}, {"module", module}}) == Json{{"id", 1}, {"success", true}});
    }
    Json ask(Json message) {
        message["id"] = next_++;
        return Json::parse(session_.answer_line(message.dump()).dump());
    }
    Json run(const std::string& function, const Json& input) {
        CAPTURE(module_, function);
        const Json response = ask({{"kind", "evaluate"}, {"module", module_}, {"function", function}, {"input", input}});
        INFO(response.dump());
        REQUIRE(response.at("success") == true);
        REQUIRE(response.at("id") == next_ - 1);
        std::size_t evaluations = 0;
        for (const Json& timing : response.at("timings")) {
            CHECK(timing.at("nanoseconds").get<Long>() > 0);
            evaluations += timing.at("name") == "evaluate";
        }
        const std::size_t wanted =
            input.is_object() && input.contains("min_runs") ? input.at("min_runs").get<std::size_t>() : 1;
        CHECK(evaluations == wanted);
        return response.at("output");
    }

  private:
    std::string module_;
    Session session_;
    int next_ = 0;
};

Json rows_of(Long rows, Long columns, double low, double high, unsigned seed = 1) {
    const auto elements = numbers(rows * columns, low, high, seed);
    Json made = Json::array();
    for (Long i = 0; i < rows; ++i)
        made.push_back(List<double>(elements.begin() + i * columns, elements.begin() + (i + 1) * columns));
    return made;
}

}  // namespace

TEST_CASE("GradBench's messages about short functions", "[gradbench]") {
    CHECK(Evaluation("hello").run("square", 3.0) == 9.0);
    CHECK(Evaluation("hello").run("double", 3.0) == 6.0);
    CHECK(Evaluation("lse").run("primal", {{"x", {2.0}}, {"min_runs", 3}, {"min_seconds", 0}}) == 2.0);
    CHECK(Evaluation("lse").run("gradient", {{"x", {2.0}}}) == Json{1.0});
    CHECK(Evaluation("llsq").run("primal", {{"x", {0.0}}, {"n", 3}}) == 1.0);
    CHECK(Evaluation("llsq").run("gradient", {{"x", {1.0}}, {"n", 2}}) == Json{2.0});
    CHECK(Evaluation("det").run("primal", {{"A", {1.0, 2.0, 3.0, 4.0}}, {"ell", 2}}) == -2.0);
    CHECK(Evaluation("det").run("gradient", {{"A", {1.0, 2.0, 3.0, 4.0}}, {"ell", 2}}) == Json{4.0, -3.0, -2.0, 1.0});
    CHECK(Evaluation("ode").run("primal", {{"x", {1.5}}, {"s", 4}}) == Json{3.0});
    CHECK(Evaluation("ode").run("gradient", {{"x", {1.5}}, {"s", 4}}) == Json{2.0});
}

TEST_CASE("GradBench's messages about models", "[gradbench]") {
    const Json mixture{{"d", 3},
                       {"k", 2},
                       {"n", 5},
                       {"x", rows_of(5, 3, -1, 1)},
                       {"m", 0},
                       {"gamma", 1},
                       {"mu", rows_of(2, 3, 0, 1)},
                       {"q", rows_of(2, 3, -1, 1)},
                       {"l", rows_of(2, 3, -1, 1)},
                       {"alpha", {0.5, -0.5}}};
    Evaluation gmm("gmm");
    CHECK(gmm.run("objective", mixture).is_number());
    const Json slope = gmm.run("jacobian", mixture);
    CHECK(slope.at("alpha").size() == 2);
    for (const char* part : {"mu", "q", "l"}) {
        CHECK(slope.at(part).size() == 2);
        CHECK(slope.at(part)[1].size() == 3);
    }
    Json flat = mixture;  // no element below the diagonal
    flat.update({{"d", 1},
                 {"x", rows_of(5, 1, -1, 1)},
                 {"mu", rows_of(2, 1, 0, 1)},
                 {"q", rows_of(2, 1, 0, 1)},
                 {"l", Json::array({Json::array(), Json::array()})}});
    CHECK(gmm.run("jacobian", flat).at("l") == Json::array({Json::array(), Json::array()}));

    const Json points{{"points", {{0.0, 0.0}, {1.0, 1.0}, {4.0, 6.0}}}, {"centroids", {{1.0, 1.0}, {4.0, 6.0}}}};
    Evaluation kmeans("kmeans");
    CHECK(kmeans.run("cost", points) == 2.0);
    CHECK(kmeans.run("dir", points) == Json{{0.5, 0.5}, {0.0, 0.0}});

    const Json network{{"main_params", rows_of(4, 20, -1, 1)},
                       {"extra_params", rows_of(3, 5, -1, 1)},
                       {"state", rows_of(4, 5, -1, 1)},
                       {"sequence", rows_of(6, 5, 0, 1)}};
    Evaluation lstm("lstm");
    CHECK(lstm.run("objective", network).is_number());
    CHECK(lstm.run("jacobian", network).size() == 95);
}

TEST_CASE("GradBench's messages about scenes", "[gradbench]") {
    const Json scene{{"n", 2},
                     {"m", 3},
                     {"p", 4},
                     {"cam", numbers(11, 0.1, 1)},
                     {"x", numbers(3, 2, 3)},
                     {"w", 0.5},
                     {"feat", {1.0, 2.0}}};
    Evaluation ba("ba");
    const Json errors = ba.run("objective", scene);
    CHECK(errors.at("reproj_error").at("elements").size() == 2);
    CHECK(errors.at("reproj_error").at("repeated") == 4);
    CHECK(errors.at("w_err") == Json{{"element", 0.75}, {"repeated", 4}});
    const Json jacobian = ba.run("jacobian", scene);
    for (const char* part : {"rows", "cols", "vals"}) CHECK(jacobian.at(part).size() == 31);
    CHECK(jacobian.at("rows")[9] == 121);  // eight rows of 15 elements, one of a single one
    CHECK(jacobian.at("rows")[30] == 124);
    CHECK(jacobian.at("cols")[29] == 31);
    CHECK(jacobian.at("cols")[30] == 34);
    CHECK(jacobian.at("vals")[30] == -1.0);

    Json square = Json::array(), squares = Json::array();
    for (int i = 0; i < 4; ++i) square.push_back({i == 0, i == 1, i == 2, i == 3});
    for (auto& row : square)
        for (auto& e : row) e = e.get<bool>() ? 1.0 : 0.0;
    for (int b = 0; b < 22; ++b) squares.push_back(square);
    List<int> parents(22);
    std::iota(parents.begin(), parents.end(), -1);
    Json hand{{"theta", numbers(26, -1, 1)}, {"us", Json::array()}};
    hand["data"] = {{"correspondences", {2, 0}}, {"points", rows_of(2, 3, 0, 1)}};
    hand["data"]["model"] = {{"parents", parents},
                             {"base_relatives", squares},
                             {"inverse_base_absolutes", squares},
                             {"base_positions", rows_of(3, 4, 0, 1)},
                             {"weights", rows_of(3, 22, 0, 1)},
                             {"triangles", {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}}},
                             {"is_mirrored", false}};
    Evaluation ht("ht");
    CHECK(ht.run("objective", hand).size() == 6);
    CHECK(ht.run("jacobian", hand)[5].size() == 26);
    hand["us"] = {{0.1, 0.2}, {0.3, 0.4}};
    CHECK(ht.run("objective", hand).size() == 6);
    CHECK(ht.run("jacobian", hand)[5].size() == 28);
}

TEST_CASE("GradBench's messages about descents", "[gradbench]") {
    Evaluation particle("particle"), saddle("saddle");
    for (const char* modes : {"ff", "fr", "rf", "rr"}) {
        CHECK(particle.run(modes, {{"w", 0.0}}).get<double>() == Approx(0.2071918746486116));
        const Json found = saddle.run(modes, {{"start", {1.0, 1.0}}});
        REQUIRE(found.size() == 4);
        for (const Json& e : found) CHECK(e.get<double>() == Approx(8.246324826140356e-06));
    }
}

TEST_CASE("GradBench's messages that are refused", "[gradbench]") {
    Evaluation lse("lse");
    auto refused = [&](const Json& message) {
        const Json response = lse.ask(message);
        CHECK(response.at("success") == false);
        return response.at("error").get<std::string>();
    };
    CHECK(refused({{"kind", "define"}, {"module", "none"}}) == "there is no module none");
    const Json call{{"kind", "evaluate"}, {"module", "lse"}, {"function", "other"}, {"input", {{"x", {1.0}}}}};
    CHECK(refused(call) == "the module lse has no function other");
    Json elsewhere = call;
    elsewhere["module"] = "gmm";
    CHECK(refused(elsewhere) == "the module gmm is not defined");
    Json incomplete = call;
    incomplete.update({{"function", "primal"}, {"input", Json::object()}});
    CHECK(refused(incomplete).find("'x' not found") != std::string::npos);
    CHECK(lse.ask({{"kind", "analysis"}, {"of", 1}, {"valid", true}}).size() == 1);
    CHECK(Session().answer_line("{").at("success") == false);
}

}  // namespace gradbench::reference

#endif
