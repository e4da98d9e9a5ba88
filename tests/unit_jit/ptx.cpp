// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PTX of small kernels, against tests/golden/ptx/*.golden: a kernel as text, then "# expect" and its PTX.
/// SINTER_BLESS=1 writes what came out into the files; read the difference before committing it.
#include "support.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace jit_test;

namespace {

constexpr const char* folder = "tests/golden/ptx";
constexpr const char* mark = "# expect\n";

std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Without the lines that name versions and files.
std::string ptx_of(const std::string& kernel) {
    const std::string all = backend(gpu).texts(sinter::lower::parse(kernel)).assembly;
    return all.substr(all.find(".version"));
}

}  // namespace

TEST_CASE("PTX of small kernels is as expected") {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".golden") continue;
        ++files;
        const std::string text = read(entry.path());
        const std::size_t at = text.find(mark);
        REQUIRE(at != std::string::npos);
        const std::string kernel = text.substr(0, at), made = ptx_of(kernel);
        if (std::getenv("SINTER_BLESS")) std::ofstream(entry.path()) << kernel << mark << made;
        INFO(entry.path());
        CHECK(read(entry.path()) == kernel + mark + made);
    }
    CHECK(files > 0);
}
