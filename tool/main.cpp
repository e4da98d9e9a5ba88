// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/version.hpp>

#include "commands.hpp"
#include "nearest.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

/// The commands as CLI11 sees them; which of them was called is known after parsing.
class CommandLine {
  public:
    CommandLine() {
        app_.set_version_flag("--version", "sinter " SINTER_VERSION_STRING);
        app_.require_subcommand(1);
        app_.footer("The environment variables of the library are described in its documentation, environment.md.");
        CLI::App* cache = app_.add_subcommand("cache", "Look at the compiled kernels on disk, or remove them");
        cache->require_subcommand(1);
        with_format(*cache, "list", "List entries: when used last, size in bytes, kind, file", tool::cache_list);
        with_format(*cache, "size", "Say how many entries there are, and how large they are together", tool::cache_size);
        add(*cache, "clear", "Remove all entries", tool::cache_clear);
        with_format(app_, "doctor", "Show versions, processor, threads, cache, GPU driver and environment", tool::doctor);
        with_format(app_, "calibrate", "Measure this machine, so that later processes decide by its numbers",
                    tool::calibrate);
    }

    int run(int argc, char** argv) {
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return app_.exit(error);
            return refuse(error, std::vector<std::string>(argv + 1, argv + argc));
        }
        return chosen_();
    }

  private:
    CLI::App* add(CLI::App& to, const std::string& name, const std::string& meaning, std::function<int()> run) {
        CLI::App* command = to.add_subcommand(name, meaning);
        command->callback([this, run = std::move(run)] { chosen_ = run; });
        return command;
    }

    void with_format(CLI::App& to, const std::string& name, const std::string& meaning, int (*run)(tool::Format)) {
        auto call = [this, run] { return run(json_ ? tool::Format::json : tool::Format::text); };
        add(to, name, meaning, call)->add_flag("--json", json_, "Write JSON instead of text");
    }

    /// Says what was wrong: what an unknown word may have been meant to be, or which commands exist where one is missing.
    int refuse(const CLI::ParseError& error, std::span<const std::string> words) const {
        const bool unknown = refuse_word(app_, words);
        if (!unknown && dynamic_cast<const CLI::RequiredError*>(&error)) {
            std::fputs(app_.help().c_str(), stderr);
            return 2;
        }
        if (!unknown) std::fprintf(stderr, "sinter: %s\n", error.what());
        std::fputs("sinter --help shows the commands.\n", stderr);
        return 2;
    }

    static std::vector<const CLI::App*> commands(const CLI::App& app) {
        return app.get_subcommands([](const CLI::App*) { return true; });
    }

    /// Refuses the first word that is neither a command nor an option; returns false if there is none.
    static bool refuse_word(const CLI::App& app, std::span<const std::string> words) {
        if (words.empty()) return false;
        std::vector<std::string> known{"--help"};
        for (const CLI::App* command : commands(app)) {
            if (command->get_name() == words[0]) return refuse_word(*command, words.subspan(1));
            known.push_back(command->get_name());
        }
        for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
        if (std::find(known.begin(), known.end(), words[0]) != known.end()) return refuse_word(app, words.subspan(1));
        const std::string meant = tool::nearest(words[0], known);
        std::fprintf(stderr, "sinter: there is no %s \"%s\".%s\n", words[0].starts_with('-') ? "option" : "command",
                     words[0].c_str(), meant.empty() ? "" : (" Did you mean \"" + meant + "\"?").c_str());
        return true;
    }

    CLI::App app_{"What the array library Sinter keeps on this machine, and what it finds there.", "sinter"};
    bool json_ = false;
    std::function<int()> chosen_;
};

}  // namespace

int main(int argc, char** argv) {
    try {
        return CommandLine().run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sinter: %s\n", error.what());
        return 1;
    }
}
