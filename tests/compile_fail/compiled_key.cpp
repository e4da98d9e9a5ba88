// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random key is made inside of a compiled function.
// expect: write random::key.seed. inside
#include <sinter/random.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

auto f() {
#ifdef SINTER_BAD
    return compile([](random::Key key) { return random::uniform(key, shape(4)); });
#else
    return compile([](Exp<std::uint64_t> seed) { return random::uniform(random::key(seed), shape(4)); });
#endif
}
