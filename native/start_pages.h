// Pages of program files in memory. Most code of a runtime is needed at the start alone.
#pragma once

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace dunlin {

struct AddressRange {
  uintptr_t begin, end;
};

/// Read-only segments of the program and its libraries, in whole pages: a writable segment may begin in the last one.
/// Relocations are written to writable segments (elf(5)), so a read-only one holds what its file holds.
inline std::vector<AddressRange> ReadOnlySegments() {
  std::vector<AddressRange> segments;
  auto note = [](dl_phdr_info* object, size_t, void* data) {
    auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (int i = 0; i < object->dlpi_phnum; i++) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
      uintptr_t begin = object->dlpi_addr + segment.p_vaddr, end = begin + segment.p_filesz;
      static_cast<std::vector<AddressRange>*>(data)->push_back({(begin + page - 1) / page * page, end / page * page});
    }
    return 0;
  };
  ::dl_iterate_phdr(note, &segments);
  return segments;
}

/// Private mappings of files that are not writable (proc_pid_maps(5)). Code that was moved into memory without a file,
/// as Node's option --use-largepages does, is not among them.
inline std::vector<AddressRange> ReadOnlyFileMappings() {
  std::vector<AddressRange> mappings;
  FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return mappings;
  char line[4'600], rights[5];
  unsigned long begin, end, inode;
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::sscanf(line, "%lx-%lx %4s %*x %*x:%*x %lu", &begin, &end, rights, &inode) != 4) continue;
    if (rights[1] == '-' && rights[3] == 'p' && inode != 0) mappings.push_back({begin, end});
  }
  std::fclose(maps);
  return mappings;
}

/// Removes the pages of the program's and its libraries' read-only segments from this process (madvise(2),
/// MADV_DONTNEED). The pages stay in the system's page cache, from which it may drop them, and come back at their next
/// use. Nothing depends on success.
inline void ReleaseProgramPages() {
  std::vector<AddressRange> segments = ReadOnlySegments();
  for (const AddressRange& mapping : ReadOnlyFileMappings()) {
    for (const AddressRange& segment : segments) {
      uintptr_t begin = std::max(mapping.begin, segment.begin), end = std::min(mapping.end, segment.end);
      if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
  }
}

}  // namespace dunlin
