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

char* byte_at(const void* origin, std::int64_t bytes) {
    return reinterpret_cast<char*>(reinterpret_cast<std::intptr_t>(origin) + bytes);
}

}  // namespace

/// Not a function-try-block: the end of its handler would throw again. The other ranks do not know of the error in flight.
Parcels::~Parcels() {
    try {
        wait();
        release();
    } catch (const std::exception&) {  // the ranks have lost each other, and the error in flight is thrown
    }
}

void Parcels::send(int rank, std::size_t group, const Shown& from, Interval bytes) { add(sends_, rank, group, from, bytes); }

void Parcels::receive(int rank, std::size_t group, void* to, Interval bytes) {
    add(receives_, rank, group, Shown{to}, bytes);
}

void Parcels::add(std::vector<Parcel>& parcels, int rank, std::size_t group, const Shown& shown, Interval bytes) {
    auto is_its = [&](const Parcel& parcel) { return parcel.rank == rank; };
    auto parcel = !parcels.empty() && is_its(parcels.back()) ? parcels.end() - 1
                                                             : std::find_if(parcels.begin(), parcels.end(), is_its);
    if (parcel == parcels.end()) parcel = parcels.insert(parcels.end(), Parcel{rank});
    void* const origin = byte_at(shown.origin, 0);
    if (parcel->groups.empty() || parcel->groups.back().id != group) {
        parcel->groups.push_back({group, parcel->places.size(), origin});
        parcel->shown.push_back(shown);
    }
    parcel->places.push_back({rank, byte_at(origin, bytes.begin), static_cast<std::size_t>(bytes.length())});
}

void Parcels::pack() {
    for (std::vector<Parcel>* parcels : {&sends_, &receives_})
        for (Parcel& parcel : *parcels) {
            if (parcel.places.size() <= tuning::most_places) continue;
            std::size_t bytes = 0;
            for (const sinter_message& place : parcel.places) bytes += place.bytes;
            parcel.in_place = bytes >= tuning::read_from && is_near(parcel.rank);
            if (parcel.in_place)
                parcel.addresses.reserve(parcels == &receives_ ? parcel.places.size() : 0);
            else
                parcel.packed = allocate(bytes);
        }
    for (const Parcel& parcel : sends_)
        if (parcel.packed)
            each_place(parcel.places, parcel.packed,
                       [](const sinter_message& place, char* at) { std::memcpy(at, place.data, place.bytes); });
}

std::vector<sinter_message> Parcels::messages(std::vector<Parcel>& parcels) {
    std::vector<sinter_message> all;
    for (Parcel& parcel : parcels)
        if (parcel.in_place)
            all.push_back({parcel.rank, parcel.shown.data(), parcel.shown.size() * sizeof(Shown)});
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

bool Parcels::wait() {
    if (!travelling_) return false;
    const std::unique_ptr<Exchange> travelling = std::move(travelling_);
    travelling->finish();
    // What the ranks need to read each other is not counted as bytes of arrays.
    for (const Parcel& parcel : receives_)
        if (parcel.in_place) traffic().met += parcel.shown.size() * sizeof(Shown);
    owed_ = true;
    return true;
}

bool Parcels::find_shown(std::size_t group, std::vector<std::pair<int, Shown>>& found) const {
    for (const Parcel& parcel : receives_)
        for (std::size_t g = 0; g < parcel.groups.size(); ++g) {
            if (parcel.groups[g].id != group) continue;
            if (!parcel.in_place) return false;
            found.emplace_back(parcel.rank, parcel.shown[g]);
        }
    return true;
}

void Parcels::leave(std::size_t group) {
    for (Parcel& parcel : receives_)
        for (Group& its : parcel.groups)
            if (its.id == group) its.left = true;
}

void Parcels::unpack() {
    owed_ = false;  // where a rank cannot be read any more, nothing can be said to it
    for (Parcel& parcel : receives_)
        if (parcel.in_place)
            read_in_place(parcel, what_, where_);
        else if (parcel.packed)
            each_place(parcel.places, parcel.packed,
                       [](const sinter_message& place, const char* at) { std::memcpy(place.data, at, place.bytes); });
    owed_ = true;
}

void Parcels::read_in_place(Parcel& parcel, const char* what, location where) {
    std::size_t kept = 0;
    for (std::size_t g = 0; g < parcel.groups.size(); ++g) {
        const Group& group = parcel.groups[g];
        const std::size_t end = g + 1 < parcel.groups.size() ? parcel.groups[g + 1].first : parcel.places.size();
        for (std::size_t k = group.first; k < end; ++k) {
            const sinter_message place = parcel.places[k];
            if (group.left) {
                traffic().received += place.bytes;
                continue;
            }
            const auto bytes = reinterpret_cast<std::intptr_t>(place.data) - reinterpret_cast<std::intptr_t>(group.origin);
            parcel.addresses.push_back(byte_at(parcel.shown[g].origin, bytes));
            parcel.places[kept++] = place;
        }
    }
    parcel.places.resize(kept);
    if (kept > 0) read(parcel.places, parcel.addresses, what, where);
}

void Parcels::release() {
    if (!owed_) return;
    owed_ = false;
    char word = 0;
    std::vector<char> heard(sends_.size());
    std::vector<sinter_message> sends, receives;
    for (const Parcel& parcel : receives_)
        if (parcel.in_place) sends.push_back({parcel.rank, &word, 1});
    for (std::size_t k = 0; k < sends_.size(); ++k)
        if (sends_[k].in_place) receives.push_back({sends_[k].rank, &heard[k], 1});
    if (sends.empty() && receives.empty()) return;
    exchange(sends, receives, what_, where_);
    traffic().met += receives.size();
}

}  // namespace sinter::runtime
