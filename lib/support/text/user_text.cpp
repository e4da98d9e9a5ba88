// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text/user_text.hpp"

#include "support/cache/hash.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

namespace sinter {

namespace {

constexpr std::uint64_t number_bits = 60;  ///< of a text with its rank, such that the parser can read it as a natural number

struct Texts {
    ForkMutex mutex;  // the child of a fork() may trace, too
    std::unordered_map<std::uint64_t, UserText> by_number;
};

Texts& texts() {
    static Texts& all = *new Texts;  // never destroyed: programs may run in destructors of global objects
    return all;
}

}  // namespace

std::uint64_t remember_text(std::string_view text, location where) {
    const Digest hash = digest(fmt::format("{}:{}:{} {}", where.file_name(), where.line(), where.column(), text));
    const std::uint64_t number = hash.low >> (64 - number_bits + text_rank_bits) << text_rank_bits;
    std::lock_guard lock(texts().mutex);
    texts().by_number.insert_or_assign(number, UserText{std::string(text), where});
    return number;
}

UserText user_text(std::uint64_t text) {
    std::lock_guard lock(texts().mutex);
    auto found = texts().by_number.find(text & ~std::uint64_t{most_numbered_axes});
    return found == texts().by_number.end() ? UserText() : found->second;
}

location find_text(std::string_view file, std::uint32_t line, std::uint32_t column) {
    std::lock_guard lock(texts().mutex);
    for (const auto& [number, text] : texts().by_number)
        if (text.where.line() == line && text.where.column() == column && text.where.file_name() == file) return text.where;
    return location();
}

std::string texts_in(std::string_view program) {
    std::string result;
    std::set<std::uint64_t> seen;
    for (const std::string_view word : {"expect ", "print "}) {  // debug_print, too
        for (std::size_t at = program.find(word); at != std::string_view::npos; at = program.find(word, at)) {
            at += word.size();
            if (at < program.size() && program[at] == '#') ++at;
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(program.data() + at, program.data() + program.size(), number);
            if (error != std::errc() || !seen.insert(number).second) continue;
            const UserText known = user_text(number);
            if (known.where.line() == 0) continue;
            result += fmt::format("#{} \"{}\" ({}:{})\n", number, known.text, known.where.file_name(), known.where.line());
        }
    }
    return result;
}

std::string describe_element(std::uint64_t text, std::int64_t number) {
    const std::size_t rank = rank_of_text(text);
    if (rank == 0) return {};
    if (rank == 1) return fmt::to_string(number);
    const int bits = bits_of_index(rank);
    std::vector<std::int64_t> indices(rank);
    for (std::size_t axis = rank; axis-- > 0; number >>= bits) indices[axis] = number & ((std::int64_t{1} << bits) - 1);
    return fmt::format("({})", fmt::join(indices, ", "));
}

std::string describe_expectation(std::uint64_t text, std::int64_t number) {
    const std::string element = describe_element(text, number), message = user_text(text).text;
    return element.empty() ? fmt::format("expectation failed: {}", message)
                           : fmt::format("expectation failed at element {}: {}", element, message);
}

}  // namespace sinter
