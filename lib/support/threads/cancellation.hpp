// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cancellation of threads of other people (pthread_cancel).
#pragma once

#include <pthread.h>

namespace sinter {

/// For as long as this object lives, the thread is not cancelled: glibc ends a cancelled thread by an exception that nobody
/// may catch, in the midst of whatever waits or allocates. A request stays, and is met at the next such place after this.
class NoCancellation {
  public:
    NoCancellation() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
    NoCancellation(const NoCancellation&) = delete;
    NoCancellation& operator=(const NoCancellation&) = delete;

  private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace sinter
