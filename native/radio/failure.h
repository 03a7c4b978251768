// Exit codes of the program. systemd restarts the program after code 1, but not after the codes for wrong use or a bad
// configuration.
#pragma once

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dunlin::radio {

inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kBadConfiguration = 78;

/// Prints a sentence and ends the program with exit code `code`.
[[noreturn, gnu::format(printf, 2, 3)]] inline void Fail(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::fputs("dunlin-radio: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
  std::exit(code);
}

}  // namespace dunlin::radio
