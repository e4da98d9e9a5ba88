// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/messages.hpp"

#include "ir/sizes/size_arithmetic.hpp"
#include "support/settings.hpp"
#include "support/text/user_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <variant>

namespace sinter::runtime {

namespace {

/// The operation a site belongs to, in a body or those nested in it.
const ir::Binding* find_operation(const ir::Body& body, ir::SiteId site) {
    for (const ir::Binding& binding : body.bindings) {
        if (binding.site == site) return &binding;
        const std::vector<ir::Body>* nested = ir::bodies_of(binding.op);
        if (!nested) continue;
        for (const ir::Body& inner : *nested) {
            if (const ir::Binding* found = find_operation(inner, site)) return found;
        }
    }
    return nullptr;
}

/// What the user called at a site.
std::string called_at(ir::SiteId site, const ir::Program& program, std::span<const ir::Site> sites) {
    const ir::Binding* binding = find_operation(program.body, site);
    return binding ? ir::name_of(*binding, sites) : "operation";
}

}  // namespace

std::string describe(ir::Scalar scalar, std::span<const std::int64_t> shape) {
    return fmt::format("{}[{}]", detail::name_of(scalar), fmt::join(shape, ", "));
}

void throw_guard_failure(const ir::SizeTable& sizes, const ir::Guard& guard, std::int64_t left, std::int64_t right,
                         location where) {
    throw ShapeError(describe_failure(sizes, guard, left, right), where);
}

void throw_check_failure(const lower::Check& check, const ErrorSlot& error, std::span<const ir::SiteId> kernel_sites,
                         const ir::Program& program, std::span<const ir::Site> sites) {
    const ir::SiteId site = check.site.index < kernel_sites.size() ? kernel_sites[check.site.index] : ir::SiteId();
    const location where = ir::site_of(sites, site).where;
    const std::string name = called_at(site, program, sites);
    auto message = [&](const std::string& problem) { return fmt::format("{}: {}", name, problem); };
    switch (check.kind) {
        case lower::Check::Kind::divisor:
            throw DomainError(message("integer division by zero"), where);
        case lower::Check::Kind::length:
            throw ShapeError(message(ir::describe_bad_length(error.index)), where);
        case lower::Check::Kind::total:
            throw ShapeError(message(ir::describe_bad_total(error.index)), where);
        case lower::Check::Kind::expect:
            throw ExpectationError(message(describe_expectation(check.text, error.index)), user_text(check.text).where);
        case lower::Check::Kind::print:
        case lower::Check::Kind::guard:  // what it names is known to who launched the kernel (Launcher::fail)
        case lower::Check::Kind::shape:
        case lower::Check::Kind::index:
            break;
    }
    throw IndexError(
        message(fmt::format("index {} is out of range for axis {} of extent {}", error.index, check.axis, error.extent)),
        where);
}

void throw_bad_shape(std::span<const std::int64_t> shape, ir::SiteId site, const ir::Program& program,
                     std::span<const ir::Site> sites) {
    const location where = ir::site_of(sites, site).where;
    const std::string name = called_at(site, program, sites);
    throw ShapeError(fmt::format("{}: {}", name, ir::describe_bad_shape(shape)), where);
}

void throw_stopped(const Call& call, ir::SiteId site, const ir::Program& program) {
    if (!site.valid() || site.index >= call.sites.size()) call.control->end("run", "", call.where);
    call.control->end(called_at(site, program, call.sites), "", call.sites[site.index].where);
}

void throw_too_large(ir::SiteId site, const ir::Program& program, std::span<const ir::Site> sites) {
    const location where = ir::site_of(sites, site).where;
    const std::string name = called_at(site, program, sites);
    throw Limitation(name + ": an extent of 2^47 or more is not supported", where);
}

void throw_code_too_large(const CodeTooLarge& error, std::span<const ir::Site> sites) {
    const auto& [id, name] = error.operation();
    const ir::Site site = ir::site_of(sites, id);
    const std::string message = fmt::format("{}: {}", site.called ? site.called : name, error.what());
    throw Limitation(message, site.where);
}

std::size_t checked_bytes(ir::Scalar scalar, std::span<const std::int64_t> shape, location where) {
    auto bytes = static_cast<std::size_t>(detail::size_of(scalar));
    bool empty = false, overflow = false;
    for (std::int64_t extent : shape) {
        if (extent < 0) {
            throw ShapeError(fmt::format("{} has a negative extent", describe(scalar, shape)), where);
        }
        empty |= extent == 0;
        overflow |= __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes);
    }
    if (empty) return 0;
    if (overflow) throw_out_of_memory(scalar, shape, SIZE_MAX, where);
    return bytes;
}

void throw_out_of_memory(ir::Scalar scalar, std::span<const std::int64_t> shape, std::size_t bytes, location where,
                         Backend* backend) {
    std::string amount = bytes == SIZE_MAX ? "more bytes than can be addressed" : fmt::format("{} bytes", bytes);
    const std::string_view limit = setting("SINTER_MEMORY_LIMIT");
    const std::string limited = !limit.empty() ? fmt::format("; SINTER_MEMORY_LIMIT is {}", limit) : "";
    const std::string place = backend && backend->remote() ? " on " + backend->remote()->device() : "";
    const std::string message = fmt::format("cannot allocate {} ({}{}){}", describe(scalar, shape), amount, limited, place);
    throw MemoryError(message, where);
}

}  // namespace sinter::runtime
