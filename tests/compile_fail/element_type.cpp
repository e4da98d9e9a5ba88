// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays hold scalars and products of scalars only.
// expect: T is not an element
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

#ifdef SINTER_BAD
using Text = std::string;
#else
using Text = std::array<char, 8>;
#endif

std::int64_t size_of(const Array<Text>& texts) { return texts.size(); }
