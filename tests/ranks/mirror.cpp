// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transport for one process that takes itself for rank 0 of 2: rank 1 says what rank 0 says, so that they always agree,
// but ends before it sends anything else.
#include "support/transport.hpp"

#include <cstring>

namespace {

constexpr std::size_t word = 32;  ///< of a meeting
bool silent = false;

int begin(const sinter_message* sends, std::size_t send_count, const sinter_message* receives, std::size_t receive_count,
          int* about) {
    *about = 1;
    for (std::size_t k = 0; k < receive_count; ++k)
        if (k < send_count && sends[k].bytes == word && receives[k].bytes == word)
            std::memcpy(receives[k].data, sends[k].data, word);
        else
            silent = true;
    return sinter_well;
}

int finish(double, int* about) {
    *about = 1;
    return silent ? sinter_ended : sinter_well;
}

void leave(int) {}

const sinter_transport mirror{
    sinter_transport_version, "a mirror", 0, 2, std::size_t{1} << 30, begin, finish, leave, nullptr, nullptr};

}  // namespace

extern "C" const sinter_transport* sinter_join_transport(int*, char***) { return &mirror; }
