// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module is cut into functions, a function into declarations, labels and instructions. What an instruction means is
// decoder.cpp's.
#include "decoder.hpp"
#include "settings.hpp"
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace driver {

namespace {

constexpr std::size_t array_alignment = 16;

std::size_t aligned(std::size_t bytes) { return (bytes + array_alignment - 1) / array_alignment * array_alignment; }

/// Bytes of a type named in a declaration, such as ".param .u64 x".
std::size_t declared_bytes(std::string_view declaration) {
    for (std::size_t at = declaration.find('.'); at != std::string_view::npos; at = declaration.find('.', at + 1))
        if (const std::string_view rest = declaration.substr(at + 1); rest.size() > 1 && std::isdigit(rest[1]))
            return static_cast<std::size_t>(std::atoi(std::string(rest.substr(1)).c_str())) / 8;
    violation("PTX: a declaration without a type: " + std::string(declaration));
}

/// ".shared .align 16 .b8 name[64]"
void declare_array(Decoder& decoder, std::string_view declaration) {
    const std::size_t open = declaration.find('[');
    if (open == std::string_view::npos) violation("PTX: not an array: " + std::string(declaration));
    const std::size_t name = declaration.find_last_of(" \t", open) + 1;
    const auto bytes = static_cast<std::size_t>(std::atoll(std::string(declaration.substr(open + 1)).c_str()));
    const Space space = declaration.starts_with(".shared") ? Space::shared : Space::local;
    Function& function = decoder.function();
    std::size_t& used = space == Space::shared ? function.shared_bytes : function.local_bytes;
    decoder.declare(std::string(declaration.substr(name, open - name)), space, used);
    used += aligned(bytes);
}

void declare_parameters(Decoder& decoder, std::string_view list) {
    for (std::string_view declaration : split(list, ',')) {
        decoder.declare_parameter(std::string(declaration.substr(declaration.find_last_of(" \t") + 1)));
        decoder.function().parameter_bytes.push_back(declared_bytes(declaration));
    }
}

void read_statement(Decoder& decoder, std::string_view statement) {
    if (statement.starts_with(".reg") || statement.starts_with(".pragma") || statement.starts_with(".param")) return;
    if (statement.starts_with(".shared") || statement.starts_with(".local")) return declare_array(decoder, statement);
    decoder.instruction(statement);
}

/// Blocks within a body only bound the names of parameters, which the code generator makes different anyway.
void read_body(Decoder& decoder, std::string_view body) {
    std::size_t begin = 0;
    int brackets = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
        const std::string_view text = trimmed(body.substr(begin, i - begin));
        const char c = body[i];
        if (c == ';') {
            read_statement(decoder, text);
        } else if (c == ':' && text.starts_with('$')) {
            decoder.label(std::string(text));
        } else if ((c == '{' || c == '}') && text.empty() && brackets == 0) {
        } else {
            brackets += c == '{' ? 1 : c == '}' ? -1 : 0;
            continue;
        }
        begin = i + 1;
    }
}

/// Arrays declared outside of functions belong to each.
std::vector<std::string_view> shared_arrays(std::string_view text) {
    std::vector<std::string_view> arrays;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{') i = closing(text, i);
        const std::string_view rest = text.substr(i);
        if (rest.starts_with(".shared ")) arrays.push_back(rest.substr(0, rest.find(';')));
        if (rest.starts_with(".global ") || rest.starts_with(".const "))
            violation("PTX: an array that a module owns: " + std::string(rest.substr(0, rest.find(';'))));
    }
    return arrays;
}

/// The function that begins at `at` with .entry or .func; null if it is only declared. Returns where it ends.
std::size_t read_function(Module& module, std::string_view text, std::size_t at,
                          const std::vector<std::string_view>& arrays) {
    const std::size_t begin = text.find_first_of(" \t", at), open = text.find('(', begin), close = closing(text, open);
    const std::size_t body = text.find_first_of("{;", close);
    if (text[body] == ';') return body;
    auto function = std::make_unique<Function>();
    function->name = trimmed(text.substr(begin, open - begin));
    if (function->name.empty()) violation("PTX: a function that returns something");
    Decoder decoder(*function);
    declare_parameters(decoder, text.substr(open + 1, close - open - 1));
    for (std::string_view array : arrays) declare_array(decoder, array);
    const std::size_t end = closing(text, body);
    read_body(decoder, text.substr(body + 1, end - body - 1));
    decoder.finish();
    module.functions[function->name] = std::move(function);
    return end;
}

/// Called functions call none themselves.
void add_what_is_called(Module& module) {
    for (const auto& [name, function] : module.functions)
        for (const Instruction& in : function->code)
            if (const auto callee = module.functions.find(in.words->callee); callee != module.functions.end())
                function->communicates |= callee->second->communicates;
}

}  // namespace

std::unique_ptr<Module> parse(const std::string& source) {
    auto module = std::make_unique<Module>();
    const std::string text = without_comments(source);
    const std::vector<std::string_view> arrays = shared_arrays(text);
    for (std::size_t at = 0;;) {
        at = std::min(text.find(".entry", at), text.find(".func", at));
        if (at == std::string::npos) break;
        at = read_function(*module, text, at, arrays);
    }
    add_what_is_called(*module);
    return module;
}

}  // namespace driver
