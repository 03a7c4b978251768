#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bytes.h"
#include "failure.h"
#include "unique_fd.h"

namespace dunlin::radio {

/// Returns the content of a file, mapped until the program ends.
inline Bytes MapFile(const char* path) {
  UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  struct stat found;
  if (!fd || ::fstat(fd.get(), &found) < 0) Fail(kFailed, "cannot read %s: %s", path, std::strerror(errno));
  if (!S_ISREG(found.st_mode)) Fail(kWrongUse, "%s is not a regular file: --read takes a capture file", path);
  if (found.st_size == 0) return {};
  size_t size = static_cast<size_t>(found.st_size);
  void* content = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (content == MAP_FAILED) Fail(kFailed, "cannot read %s: %s", path, std::strerror(errno));
  return {static_cast<const uint8_t*>(content), size};
}

}  // namespace dunlin::radio
