// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sinter/hdf5.hpp>
#include <sinter/sinter.hpp>

#include <cstdio>

int main() {
    using namespace sinter;
    std::remove("app.h5");
    hdf5::save("app.h5", "squares", run(iota(10) * iota(10)));
    return hdf5::load<std::int64_t>("app.h5", "squares")(9) == 81 ? 0 : 1;
}
