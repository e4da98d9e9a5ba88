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

std::size_t address_bytes(const std::vector<const void*>& addresses) { return addresses.size() * sizeof(const void*); }

}  // namespace

/// Not a function-try-block: the end of its handler would throw again.
Parcels::~Parcels() {
    try {
        finish();
    } catch (const std::exception&) {  // the ranks have lost each other, and the error in flight is thrown
    }
}

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
            if (bytes >= tuning::read_from && is_near(parcel.rank))
                for (const sinter_message& place : parcel.places) parcel.addresses.push_back(place.data);
            else
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
        if (!parcel.addresses.empty())
            all.push_back({parcel.rank, const_cast<const void**>(parcel.addresses.data()), address_bytes(parcel.addresses)});
        else if (parcel.packed)
            all.push_back({parcel.rank, parcel.packed->data, parcel.packed->bytes});
        else
            all.insert(all.end(), parcel.places.begin(), parcel.places.end());
    return all;
}

void Parcels::begin(const char* what, location where) {
    what_ = what, where_ = where;
    travelling_ = std::make_unique<Exchange>(messages(sends_), messages(receives_), what, where);
}

void Parcels::finish() {
    if (!travelling_) return;
    const std::unique_ptr<Exchange> travelling = std::move(travelling_);
    travelling->finish();
    read_and_unpack();
    tell_senders();
}

/// What the ranks need to read each other is not counted as bytes of arrays.
void Parcels::tell_senders() {
    char word = 0;
    std::vector<sinter_message> sends, receives;
    for (const Parcel& parcel : receives_) {
        if (parcel.addresses.empty()) continue;
        sends.push_back({parcel.rank, &word, 1});
        traffic().met += address_bytes(parcel.addresses);
    }
    for (Parcel& parcel : sends_)
        if (!parcel.addresses.empty()) receives.push_back({parcel.rank, parcel.addresses.data(), 1});
    if (sends.empty() && receives.empty()) return;
    exchange(sends, receives, what_, where_);
    traffic().met += receives.size();
}

void Parcels::read_and_unpack() const {
    for (const Parcel& parcel : receives_)
        if (!parcel.addresses.empty())
            read(parcel.places, parcel.addresses, what_, where_);
        else if (parcel.packed)
            each_place(parcel.places, parcel.packed,
                       [](const sinter_message& place, const char* at) { std::memcpy(place.data, at, place.bytes); });
}

}  // namespace sinter::runtime
