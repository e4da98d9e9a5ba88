// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the tests call from Python.
#include <sinter/python.hpp>

#include <complex>
#include <condition_variable>

using namespace sinter;

namespace sample {

Delayed<float, 2> step(Delayed<float, 2> x, Exp<float> h) {
    return x + h * map([](Exp<float> e) { return e * e; }, x);
}

auto statistics(Delayed<double> x) { return std::tuple(sum(x), x - sum(x) / cast<double>(size(x)), size(x)); }

template <class T>
Delayed<T> twice(Delayed<T> x) {
    return x + x;
}

Delayed<float> itself(Delayed<float> x) { return x; }
Delayed<float> first_half(Delayed<float> x) { return take(x, size(x) / 2); }
Delayed<float> overwrite(Delayed<float> x) { return update(std::move(x), index(0), 7.f); }
Delayed<std::complex<double>> conjugate(Delayed<std::complex<double>> z) {
    return map([](auto c) { return conj(c); }, z);
}
Delayed<bool> invert(Delayed<bool> mask) { return !mask; }
Delayed<half> widen(Delayed<half> x) { return x * x; }

// One for each kind of error.
Delayed<int> add(Delayed<int> a, Delayed<int> b) { return a + b; }
Delayed<int> pick(Delayed<std::int64_t> indices, Delayed<int> a) { return gather(indices, a); }
Delayed<int> divide(Delayed<int> a, Delayed<int> b) { return a / b; }
Delayed<int> positive(Delayed<int> a) { return expect(a > 0, "numbers are positive", a); }
Delayed<int> wrong(Delayed<int> a) { return reshape(a, shape(3)); }

// Not compiled: called as they are.
int small(std::uint8_t a) { return a; }
double scaled(double a, half b, bool c, std::complex<double> d) { return c ? a * static_cast<float>(b) : d.imag(); }
Delayed<std::int64_t> counted(std::int64_t n) { return iota(n); }

Array<float> kept;
void keep(Array<float> x) { kept = x; }
Array<float> give() { return kept; }
void forget() { kept = Array<float>(); }

std::mutex mutex;
std::condition_variable arrival;
int arrived = 0;
/// Returns whether two threads are in this function at once, within ten seconds.
bool meet() {
    std::unique_lock lock(mutex);
    ++arrived;
    arrival.notify_all();
    return arrival.wait_for(lock, std::chrono::seconds(10), [] { return arrived >= 2; });
}

}  // namespace sample

SINTER_PYTHON_MODULE(sample, sample::step, sample::statistics, sample::twice<float>, sample::twice<std::int32_t>,
                     sample::itself, sample::first_half, sample::overwrite, sample::conjugate, sample::invert, sample::widen,
                     sample::add, sample::pick, sample::divide, sample::positive, sample::wrong, sample::small,
                     sample::scaled, sample::counted, sample::keep, sample::give, sample::forget, sample::meet)
