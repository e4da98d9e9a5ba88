// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/launch/parcels.hpp"

#include "run/ranks/tuning.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::runtime {

namespace {

/// Calls f with each place and where it is in the packed message.
template <class F>
void each_place(const std::vector<sinter_message>& places, const BufferRef& packed, F f) {
    auto* at = static_cast<char*>(packed->data);
    for (const sinter_message& place : places) {
        f(place, at);
        at += place.bytes;
    }
}

}  // namespace

void Parcels::add(std::vector<Parcel>& parcels, int rank, void* data, std::size_t bytes) {
    auto is_its = [&](const Parcel& parcel) { return parcel.rank == rank; };
    auto parcel = !parcels.empty() && is_its(parcels.back()) ? parcels.end() - 1
                                                             : std::find_if(parcels.begin(), parcels.end(), is_its);
    if (parcel == parcels.end()) parcel = parcels.insert(parcels.end(), {rank, {}});
    parcel->places.push_back({rank, data, bytes});
}

void Parcels::pack() {
    for (std::vector<Parcel>* parcels : {&sends_, &receives_})
        for (Parcel& parcel : *parcels) {
            if (parcel.places.size() <= tuning::most_places) continue;
            std::size_t bytes = 0;
            for (const sinter_message& place : parcel.places) bytes += place.bytes;
            parcel.packed = allocate(bytes);
        }
    for (const Parcel& parcel : sends_)
        if (parcel.packed)
            each_place(parcel.places, parcel.packed,
                       [](const sinter_message& place, char* at) { std::memcpy(at, place.data, place.bytes); });
}

std::vector<sinter_message> Parcels::messages(const std::vector<Parcel>& parcels) {
    std::vector<sinter_message> all;
    for (const Parcel& parcel : parcels)
        if (parcel.packed)
            all.push_back({parcel.rank, parcel.packed->data, parcel.packed->bytes});
        else
            all.insert(all.end(), parcel.places.begin(), parcel.places.end());
    return all;
}

void Parcels::unpack() const {
    for (const Parcel& parcel : receives_)
        if (parcel.packed)
            each_place(parcel.places, parcel.packed,
                       [](const sinter_message& place, const char* at) { std::memcpy(place.data, at, place.bytes); });
}

}  // namespace sinter::runtime
