// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/netcdf.hpp>
#include <sinter/sinter.hpp>

#include <cstdio>

int main() {
    using namespace sinter;
    std::remove("app.nc");
    netcdf::save("app.nc", "squares", {"n"}, run(iota(10) * iota(10)));
    return netcdf::load<std::int64_t>("app.nc", "squares")(9) == 81 ? 0 : 1;
}
