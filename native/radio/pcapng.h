// Blocks of a pcapng stream (IETF draft-ietf-opsawg-pcapng), little endian, written to a buffer of the caller.
#pragma once

#include <span>

#include "bytes.h"

namespace dunlin::radio {

inline constexpr uint16_t kLinkRadiotap = 127;
inline constexpr uint16_t kLinkHci = 201;
inline constexpr size_t kSnapLength = 4'096;

/// Builds one block. The block is empty if its content does not fit the buffer.
class Block {
 public:
  Block(std::span<uint8_t> room, uint32_t type) : room_(room) { U32(type), U32(0); }

  void U16(uint16_t value) { U8(value & 0xff), U8(value >> 8); }
  void U32(uint32_t value) { U16(value & 0xffff), U16(value >> 16); }
  /// Writes a time as two words of 32 bits. The upper word comes first, whatever the byte order.
  void Time(uint64_t value) { U32(value >> 32), U32(value & 0xffffffff); }
  void Padded(Bytes bytes) {
    if (bytes.size <= room_.size() - size_) {
      if (bytes.size) std::memcpy(room_.data() + size_, bytes.data, bytes.size);
      size_ += bytes.size;
    } else fits_ = false;
    while (fits_ && size_ % 4) U8(0);
  }
  void Option(uint16_t code, Bytes value) { U16(code), U16(static_cast<uint16_t>(value.size)), Padded(value); }
  void Option(uint16_t code, uint64_t value) { U16(code), U16(8), U32(value & 0xffffffff), U32(value >> 32); }

  /// Completes the block and returns its size; 0 if the buffer was too small.
  size_t Close() {
    uint32_t total = static_cast<uint32_t>(size_ + 4);
    U32(total);
    if (!fits_) return 0;
    for (int at = 0; at < 4; at++) room_[4 + at] = total >> 8 * at & 0xff;
    return size_;
  }

 private:
  void U8(int value) {
    if (size_ < room_.size()) room_[size_++] = static_cast<uint8_t>(value);
    else fits_ = false;
  }

  std::span<uint8_t> room_;
  size_t size_ = 0;
  bool fits_ = true;
};

/// Writes the section header and the interface description, with which every stream begins. Returns their size; 0 if
/// the buffer is too small.
inline size_t WriteHeader(std::span<uint8_t> room, uint16_t link_type, Bytes name) {
  Block section(room, 0x0a0d0d0a);
  section.U32(0x1a2b3c4d), section.U16(1), section.U16(0), section.U32(0xffffffff), section.U32(0xffffffff);
  size_t size = section.Close();
  if (size == 0) return 0;
  Block interface(room.subspan(size), 1);
  interface.U16(link_type), interface.U16(0), interface.U32(kSnapLength);
  interface.Option(2, name), interface.U32(0);
  size_t more = interface.Close();
  return more ? size + more : 0;
}

/// Writes one packet of the first interface; `length` is its original length before truncation.
inline size_t WritePacket(std::span<uint8_t> room, uint64_t time_us, Bytes packet, size_t length) {
  Block block(room, 6);
  block.U32(0), block.Time(time_us), block.U32(static_cast<uint32_t>(packet.size));
  block.U32(static_cast<uint32_t>(length < packet.size ? packet.size : length)), block.Padded(packet);
  return block.Close();
}

/// Writes the packet counts of the first interface since the program began, and a comment.
inline size_t WriteStatistics(std::span<uint8_t> room, uint64_t time_us, uint64_t received, uint64_t dropped, Bytes comment) {
  Block block(room, 5);
  block.U32(0), block.Time(time_us);
  block.Option(1, comment), block.Option(4, received), block.Option(5, dropped), block.U32(0);
  return block.Close();
}

}  // namespace dunlin::radio
