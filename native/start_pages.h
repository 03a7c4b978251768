// Pages of program files in memory. Most code of a runtime is needed at the start alone.
#pragma once

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace dunlin {

/// Removes the pages of the program's and its libraries' read-only segments from this process (madvise(2),
/// MADV_DONTNEED). The pages stay in the system's page cache, from which it may drop them, and come back at their next
/// use. A read-only segment holds what its file holds: relocations are written to writable segments (elf(5)).
inline void ReleaseProgramPages() {
  auto release = [](dl_phdr_info* object, size_t, void*) {
    auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (int i = 0; i < object->dlpi_phnum; i++) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
      // Whole pages only: a writable segment may begin in the last one.
      uintptr_t begin = object->dlpi_addr + segment.p_vaddr, end = begin + segment.p_filesz;
      begin = (begin + page - 1) / page * page;
      end = end / page * page;
      // The kernel refuses its own object (vdso), which has no file; nothing depends on success.
      if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
  };
  ::dl_iterate_phdr(release, nullptr);
}

}  // namespace dunlin
