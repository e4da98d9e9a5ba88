// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads files, and reports what is wrong with them.
#pragma once

#include <sinter/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinter::runtime {

using Bytes = std::vector<unsigned char>;

/// A source of bytes that are read one after another.
class Source {
  public:
    /// `what` is the function that the user called, `name` that of the file; both are for messages.
    Source(const char* what, std::string name, location where) : what_(what), name_(std::move(name)), where_(where) {}
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    void read(void* to, std::size_t bytes, const char* part);
    /// Fails because the source ends before `bytes` bytes.
    [[noreturn]] void fail_short(std::size_t bytes, const char* part) const;
    [[noreturn]] void fail(const std::string& message) const { throw UsageError(text(message), where_); }
    [[noreturn]] void fail_shape(const std::string& message) const { throw ShapeError(text(message), where_); }
    location where() const { return where_; }

  protected:
    /// Returns the number of bytes that there were.
    virtual std::size_t take(void* to, std::size_t bytes) = 0;

  private:
    std::string text(const std::string& message) const;

    const char* what_;
    std::string name_;
    location where_;
};

class File final : public Source {
  public:
    File(const char* what, const std::string& path, const char* mode, location where);
    void write(const void* from, std::size_t bytes);
    void close();
    /// Everything that is left of the source.
    Bytes rest();

  private:
    std::size_t take(void* to, std::size_t bytes) override { return std::fread(to, 1, bytes, file_.get()); }

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

/// Bytes in memory that outlives this object.
class MemorySource final : public Source {
  public:
    MemorySource(const char* what, std::string name, std::span<const unsigned char> bytes, location where)
        : Source(what, std::move(name), where), bytes_(bytes) {}

  private:
    std::size_t take(void* to, std::size_t bytes) override;
    std::span<const unsigned char> bytes_;
};

}  // namespace sinter::runtime
