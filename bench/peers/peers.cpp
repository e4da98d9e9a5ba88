// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.hpp"

#include <iterator>

namespace bench {

template <class T>
std::vector<Contender> eigen_contenders(const Problem<T>& p);
template <class T>
std::vector<Contender> xtensor_contenders(const Problem<T>& p);
template <class T>
std::vector<Contender> standard_contenders(const Problem<T>& p);

template <class T>
std::vector<Contender> peer_contenders(const Problem<T>& p) {
    std::vector<Contender> all = standard_contenders(p);
    [[maybe_unused]] const auto append = [&](std::vector<Contender> more) {
        std::move(more.begin(), more.end(), std::back_inserter(all));
    };
#ifdef HAVE_EIGEN
    append(eigen_contenders(p));
#endif
#ifdef HAVE_XTENSOR
    append(xtensor_contenders(p));
#endif
    return all;
}

template std::vector<Contender> peer_contenders(const Problem<float>&);
template std::vector<Contender> peer_contenders(const Problem<double>&);

}  // namespace bench
