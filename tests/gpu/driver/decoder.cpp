// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "decoder.hpp"

#include "arithmetic.hpp"
#include "settings.hpp"
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace driver {

namespace {

constexpr std::uint64_t poison = 0xdeadbeefcafef00d;  ///< of registers that nothing was written to

template <class T>
struct Named {
    std::string_view name;
    T value;
};

template <class T, std::size_t n>
const T* find(const Named<T> (&table)[n], std::string_view name) {
    for (const Named<T>& entry : table)
        if (entry.name == name) return &entry.value;
    return nullptr;
}

constexpr Named<Op> ops[] = {
    {"add", Op::add},      {"sub", Op::sub},   {"mul", Op::mul},     {"mad", Op::mad},           {"fma", Op::fma},
    {"div", Op::div},      {"rem", Op::rem},   {"min", Op::min},     {"max", Op::max},           {"abs", Op::abs},
    {"neg", Op::neg},      {"sqrt", Op::sqrt}, {"rcp", Op::rcp},     {"and", Op::and_},          {"or", Op::or_},
    {"xor", Op::xor_},     {"not", Op::not_},  {"shl", Op::shl},     {"shr", Op::shr},           {"popc", Op::popc},
    {"clz", Op::clz},      {"brev", Op::brev}, {"bfe", Op::bfe},     {"bfi", Op::bfi},           {"setp", Op::setp},
    {"selp", Op::selp},    {"mov", Op::mov},   {"cvt", Op::cvt},     {"cvta", Op::cvta},         {"ld", Op::ld},
    {"st", Op::st},        {"atom", Op::atom}, {"red", Op::atom},    {"membar", Op::membar},     {"fence", Op::membar},
    {"bar", Op::bar},      {"shfl", Op::shfl}, {"match", Op::match}, {"vote", Op::vote},         {"bra", Op::bra},
    {"call", Op::call},    {"ret", Op::ret},   {"exit", Op::exit},   {"copysign", Op::copysign}, {"nanosleep", Op::nop},
    {"shf", Op::shf_left}, {"mma", Op::mma},
};

constexpr Named<Compare> compares[] = {
    {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"lo", Compare::lt},   {"le", Compare::le},
    {"ls", Compare::le},   {"gt", Compare::gt},   {"hi", Compare::gt},   {"ge", Compare::ge},   {"hs", Compare::ge},
    {"equ", Compare::equ}, {"neu", Compare::neu}, {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu},
    {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan},
};

constexpr Named<Update> updates[] = {
    {"add", Update::add}, {"min", Update::min},  {"max", Update::max},       {"and", Update::and_},
    {"or", Update::or_},  {"xor", Update::xor_}, {"exch", Update::exchange}, {"cas", Update::compare_and_swap},
};

constexpr Named<Order> orders[] = {
    {"volatile", Order::relaxed}, {"relaxed", Order::relaxed}, {"acquire", Order::acquire}, {"release", Order::release}};

constexpr Named<Space> spaces[] = {{"global", Space::global}, {"shared", Space::shared}, {"local", Space::local}};

constexpr Named<Round> rounds[] = {
    {"rn", Round::nearest},  {"rz", Round::zero},  {"rm", Round::down},  {"rp", Round::up},
    {"rni", Round::nearest}, {"rzi", Round::zero}, {"rmi", Round::down}, {"rpi", Round::up},
};

constexpr std::string_view without_meaning[] = {"lo",   "sync", "idx", "any", "uni",     "gl", "ballot", "to",
                                                "wrap", "cta",  "gpu", "sys", "acq_rel", "sc", "relaxed"};

Type type_of(std::string_view name) {
    if (name == "pred") return {'p', 1};
    const int bits = name.size() > 1 ? std::atoi(std::string(name.substr(1)).c_str()) : 0;
    const bool known = bits >= 8 && std::string_view("busf").find(name[0]) != std::string_view::npos;
    return known ? Type{name[0], static_cast<std::uint8_t>(bits / 8)} : Type{'b', 0};
}

bool is_alone(Op op) {
    switch (op) {
        case Op::ld:
        case Op::st:
        case Op::ld_param:
        case Op::st_param:
        case Op::atom:
        case Op::membar:
        case Op::bar:
        case Op::bar_warp:
        case Op::shfl:
        case Op::match:
        case Op::vote:
        case Op::mma:
        case Op::call:
        case Op::ret:
        case Op::exit:
        case Op::nop:
            return false;
        default:
            return true;
    }
}

}  // namespace

Decoder::Decoder(Function& function) : function_(function) {
    registers_ = {{"%tid.x", thread_register},
                  {"%ctaid.x", block_register},
                  {"%nctaid.x", blocks_register},
                  {"%ntid.x", threads_register}};
    function_.registers.assign(special_registers, 0);
}

void Decoder::refuse(const Instruction& in) const { violation("PTX that the driver does not know: " + in.words->text); }

Register Decoder::named(const std::string& name) {
    const auto [place, is_new] = registers_.try_emplace(name, static_cast<Register>(function_.registers.size()));
    if (is_new) function_.registers.push_back(poison);
    return place->second;
}

Register Decoder::constant(std::uint64_t value) {
    const auto [place, is_new] = constants_.try_emplace(value, static_cast<Register>(function_.registers.size()));
    if (is_new) function_.registers.push_back(value);
    return place->second;
}

void Decoder::declare(const std::string& array, Space space, std::size_t offset) {
    function_.arrays.push_back({named(array), space, offset});
}

void Decoder::declare_parameter(const std::string& name) { parameters_.emplace(name, parameters_.size()); }

void Decoder::label(const std::string& name) { labels_[name] = function_.code.size(); }

void Decoder::instruction(std::string_view text) {
    Instruction in;
    in.words->text = text;
    guard(in, text);
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    const Parts words = split(text.substr(0, end), '.');
    const Op* op = find(ops, words[0]);
    if (!op) refuse(in);
    in.op = *op;
    modifiers(in, words);
    read_operands(in, split(text.substr(end), ','));
    drop(in, text.substr(0, end));
    if (in.op == Op::membar || in.op == Op::atom || in.order != Order::weak) function_.communicates = true;
    function_.code.push_back(std::move(in));
}

/// Leaves out what synchronises threads, if the settings say so; what is ordered is relaxed, and what is relaxed is plain.
void Decoder::drop(Instruction& in, std::string_view name) {
    const bool is_ordered = in.order == Order::acquire || in.order == Order::release;
    const bool is_relaxed = in.order == Order::relaxed && name.find(".relaxed") != std::string_view::npos;
    const bool synchronises = in.op == Op::bar || in.op == Op::bar_warp || in.op == Op::membar || is_ordered || is_relaxed;
    if (!synchronises || !is_dropped(function_.name + " " + std::string(name))) return;
    if (is_ordered)
        in.order = Order::relaxed;
    else if (is_relaxed)
        in.order = Order::weak;
    else
        in.op = Op::nop;
}

void Decoder::guard(Instruction& in, std::string_view& text) {
    if (!text.starts_with('@')) return;
    text.remove_prefix(1);
    if ((in.unless = text.starts_with('!'))) text.remove_prefix(1);
    const std::size_t end = text.find_first_of(" \t");
    in.predicate = named(std::string(text.substr(0, end)));
    text = trimmed(text.substr(end));
}

void Decoder::modifiers(Instruction& in, const Parts& words) {
    if (in.op == Op::mma) {
        const bool halves = in.words->text.starts_with("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        if (!halves && !in.words->text.starts_with("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")) refuse(in);
        in.from = {'f', static_cast<std::uint8_t>(halves ? 2 : 4)};
        return;
    }
    if (in.op == Op::cvt && words[1] == "rna") {
        if (words != Parts{"cvt", "rna", "tf32", "f32"}) refuse(in);
        in.op = Op::cvt_tf32;
        in.type = {'b', 4};
        return;
    }
    if (in.op == Op::bar && words[1] == "warp") in.op = Op::bar_warp;
    for (std::size_t k = 1; k < words.size(); ++k) {
        if (in.op == Op::bar_warp && words[k] == "warp") continue;
        modifier(in, words[k]);
    }
    types(in, words);
    const bool is_shuffle = in.op == Op::shfl && words[2] != "idx", is_vote = in.op == Op::vote && words[2] != "ballot";
    const bool is_funnel = in.op == Op::shf_left || in.op == Op::shf_right;
    const bool clamps = is_funnel && (words[2] != "wrap" || in.type.bytes != 4);
    const bool is_match = in.op == Op::match && words[1] != "any";
    const bool is_narrow =
        (in.op == Op::membar || in.order != Order::weak) && std::find(words.begin(), words.end(), "cta") != words.end();
    const bool is_disordered =
        (in.op == Op::ld && in.order == Order::release) || (in.op == Op::st && in.order == Order::acquire);
    if (is_shuffle || is_vote || is_match || is_narrow || is_disordered || clamps) refuse(in);
}

void Decoder::modifier(Instruction& in, std::string_view word) {
    if (in.op == Op::shf_left && (word == "l" || word == "r"))
        return void(in.op = word == "l" ? Op::shf_left : Op::shf_right);
    if (const Compare* compare = find(compares, word); compare && in.op == Op::setp) return void(in.compare = *compare);
    if (const Update* update = find(updates, word); update && in.op == Op::atom) return void(in.update = *update);
    const bool transfers = in.op == Op::ld || in.op == Op::st;
    if (const Order* order = find(orders, word); order && transfers) return void(in.order = *order);
    if (const Space* space = find(spaces, word)) return void(in.space = *space);
    if (const Round* round = find(rounds, word)) {
        in.round = *round;
        in.to_integral = word.size() == 3;
    } else if (word == "param") {
        in.op = in.op == Op::ld ? Op::ld_param : Op::st_param;
    } else if (word == "v2" || word == "v4") {
        // What is transferred says how much.
    } else if (word == "wide") {
        in.wide = true;
    } else if (word == "hi") {
        in.high = true;
    } else if (word == "nc") {
        in.non_coherent = true;
    } else if (word == "NaN") {
        in.propagates_nan = true;
    } else if (type_of(word).bytes == 0 &&
               std::find(std::begin(without_meaning), std::end(without_meaning), word) == std::end(without_meaning)) {
        refuse(in);
    }
}

void Decoder::types(Instruction& in, const Parts& words) {
    in.type = type_of(words.back());
    if (in.op != Op::cvt) return;
    in.from = in.type;
    in.type = type_of(words[words.size() - 2]);
}

void Decoder::read_operands(Instruction& in, const Parts& parts) {
    switch (in.op) {
        case Op::bra:
            return branches_.emplace_back(function_.code.size(), parts.at(0)), void();
        case Op::ret:
        case Op::exit:
        case Op::membar:
        case Op::nop:
            return;
        case Op::bar:
            if (parts.size() != 1 || parts[0] != "0") refuse(in);
            return;
        case Op::bar_warp:
            return inputs(in, parts.at(0));
        case Op::call:
            return call(in, parts);
        case Op::mov:
            return move(in, parts);
        case Op::ld:
        case Op::st:
        case Op::ld_param:
        case Op::st_param:
        case Op::atom:
            return transfer(in, parts);
        default:
            break;
    }
    results(in, parts.at(0));
    for (std::size_t k = 1; k < parts.size(); ++k) inputs(in, parts[k]);
}

void Decoder::move(Instruction& in, const Parts& parts) {
    results(in, parts.at(0));
    inputs(in, parts.at(1));
    if (parts[0].starts_with('{')) in.op = Op::unpack;
    if (parts[1].starts_with('{')) in.op = Op::pack;
}

void Decoder::transfer(Instruction& in, const Parts& parts) {
    const bool stores = in.op == Op::st || in.op == Op::st_param;
    const bool has_result = !stores && (in.op != Op::atom || !in.words->text.starts_with("red"));
    std::size_t next = 0;
    if (has_result) results(in, parts.at(next++));
    const std::string_view place = parts.at(next++);
    if (in.op == Op::ld_param || in.op == Op::st_param) {
        const std::string_view inside = place.substr(1, place.size() - 2);
        const std::string name(inside.substr(0, inside.find('+')));
        if (name.size() < inside.size() && inside.substr(name.size()) != "+0") refuse(in);
        if (in.op == Op::ld_param && !parameters_.contains(name)) refuse(in);
        in.target = in.op == Op::ld_param ? parameters_[name] : outgoing_.try_emplace(name, outgoing_.size()).first->second;
    } else {
        address(in, place);
    }
    for (; next < parts.size(); ++next) inputs(in, parts[next]);
}

/// "name, (param0, param1)": after st.param to each.
void Decoder::call(Instruction& in, const Parts& parts) {
    if (parts.size() != 2) refuse(in);
    in.words->callee = parts[0];
    for (std::string_view name : split(parts[1].substr(1, parts[1].size() - 2), ','))
        in.words->arguments.push_back(outgoing_.at(std::string(name)));
}

/// "[register+offset]" or "[array+offset]"
void Decoder::address(Instruction& in, std::string_view text) {
    const std::string_view inside = text.substr(1, text.size() - 2);
    const std::size_t plus = std::min(inside.find('+'), inside.size());
    if (plus < inside.size()) in.offset = std::strtoll(std::string(inside.substr(plus + 1)).c_str(), nullptr, 0);
    const std::string base(inside.substr(0, plus));
    if (!base.starts_with('%') && !registers_.contains(base)) refuse(in);
    in.address = named(base);
}

void Decoder::results(Instruction& in, std::string_view text) {
    const Parts parts = text.starts_with('{') ? split(text.substr(1, text.size() - 2), ',') : Parts{text};
    if (parts.size() > in.result.size()) refuse(in);
    for (std::string_view part : parts) in.result[in.results++] = part == "_" ? no_register : operand(in, part);
}

void Decoder::inputs(Instruction& in, std::string_view text) {
    const Parts parts = text.starts_with('{') ? split(text.substr(1, text.size() - 2), ',') : Parts{text};
    for (std::string_view part : parts) {
        if (in.operands >= in.operand.size()) refuse(in);
        if (part.starts_with('!')) {
            in.negated |= static_cast<std::uint8_t>(1u << in.operands);
            part.remove_prefix(1);
        }
        const Register value = operand(in, part);
        in.operand[in.operands++] = value;
    }
}

Register Decoder::operand(Instruction& in, std::string_view text) {
    const std::string name(text);
    if (name.find('|') != std::string::npos) refuse(in);
    if (name.size() > 2 && name[0] == '0' && (name[1] == 'f' || name[1] == 'd'))
        return constant(std::strtoull(name.c_str() + 2, nullptr, 16));
    if (name[0] == '-') return constant(static_cast<std::uint64_t>(std::strtoll(name.c_str(), nullptr, 0)));
    if (std::isdigit(static_cast<unsigned char>(name[0]))) return constant(std::strtoull(name.c_str(), nullptr, 0));
    if (name[0] != '%' && name != "tmp" && !registers_.contains(name)) refuse(in);
    return named(name);
}

void Decoder::finish() {
    Instruction end;
    end.op = Op::ret;
    end.words->text = "the function's end";
    function_.code.push_back(end);
    const Register zero = constant(0);
    for (Instruction& in : function_.code) {
        in.is_alone = is_alone(in.op);
        std::fill(in.operand.begin() + in.operands, in.operand.end(), zero);
        in.compute = compute_of(in);
    }
    for (const auto& [at, name] : branches_) {
        const auto found = labels_.find(name);
        if (found == labels_.end()) violation("PTX: no label " + name);
        function_.code[at].target = found->second;
    }
    function_.outgoing = outgoing_.size();
}

}  // namespace driver
