// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include <chrono>

namespace gradbench {

namespace {

std::optional<Module> module_named(const std::string& name) {
    static const std::map<std::string, Module (*)()> modules = {
        {"hello", hello},   {"lse", lse},   {"llsq", llsq}, {"det", det}, {"ode", ode},           {"gmm", gmm},
        {"kmeans", kmeans}, {"lstm", lstm}, {"ba", ba},     {"ht", ht},   {"particle", particle}, {"saddle", saddle}};
    const auto found = modules.find(name);
    if (found == modules.end()) return std::nullopt;
    return found->second();
}

std::int64_t nanoseconds(const std::function<void()>& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

/// Arguments are made and the function is compiled before the first of the evaluations that count.
Json evaluate(const Function& function, const Json& input) {
    Call call;
    const std::int64_t prepare = nanoseconds([&] {
        call = function(input);
        call.evaluate();
    });
    Json timings = Json::array({{{"name", "prepare"}, {"nanoseconds", prepare}}});
    const bool repeats = input.is_object();  // a number has no room for how often
    const int least_runs = repeats ? input.value("min_runs", 1) : 1;
    const double least_seconds = repeats ? input.value("min_seconds", 0.0) : 0;
    double elapsed = 0;
    for (int k = 0; k < least_runs || elapsed < least_seconds; ++k) {
        const std::int64_t taken = nanoseconds(call.evaluate);
        timings.push_back({{"name", "evaluate"}, {"nanoseconds", taken}});
        elapsed += 1e-9 * static_cast<double>(taken);
    }
    return {{"success", true}, {"output", call.output()}, {"timings", timings}};
}

Json refusal(const std::string& why) { return {{"success", false}, {"error", why}}; }

}  // namespace

Json Session::define(const std::string& name) {
    std::optional<Module> module = module_named(name);
    if (!module) return refusal("there is no module " + name);
    defined_[name] = std::move(*module);
    return {{"success", true}};
}

Json Session::evaluate(const Json& message) const {
    const std::string module = message.at("module"), name = message.at("function");
    const auto found = defined_.find(module);
    if (found == defined_.end()) return refusal("the module " + module + " is not defined");
    const auto function = found->second.find(name);
    if (function == found->second.end()) return refusal("the module " + module + " has no function " + name);
    return gradbench::evaluate(function->second, message.at("input"));
}

Json Session::answer(const Json& message) {
    Json response{{"id", message.at("id")}};
    const std::string kind = message.at("kind");
    try {
        if (kind == "start") response["tool"] = "sinter";
        if (kind == "define") response.update(define(message.at("module")));
        if (kind == "evaluate") response.update(evaluate(message));
    } catch (const std::exception& e) {
        response.update(refusal(e.what()));
    }
    return response;
}

Json Session::answer_line(const std::string& line) {
    try {
        return answer(Json::parse(line));
    } catch (const Json::exception& e) {
        return refusal(e.what());
    }
}

}  // namespace gradbench
