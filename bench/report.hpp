// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table and the JSON file that the benchmarks leave.
#pragma once

#include "measure.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Result {
    std::string name;
    Timing timing;
};

/// One case, type and size with all its contenders and the limits of the machine at that size.
struct Row {
    std::string name, type;
    std::int64_t n;
    double bytes, bytes_written;
    std::vector<Result> results;
};

void print_header();
void print_row(const Row& row);

/// { "machine": {...}, "rows": [ { "name", "type", "n", "bytes", "results": [ { "name", "median", "fastest" } ] } ] }
void write_json(const std::string& path, const std::vector<Row>& rows);

}  // namespace bench
