// Netlink messages and their attributes (netlink(7)), without libnl: requests in a buffer of fixed size, answers that
// are read only within their bounds.
#pragma once

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <array>

#include "bytes.h"

namespace dunlin::radio {

/// Calls `take` with type and content of each attribute; stops at an attribute that is cut off.
template <typename Take>
void EachAttribute(Bytes bytes, Take&& take) {
  for (size_t at = 0; at + NLA_HDRLEN <= bytes.size;) {
    size_t length = bytes.U16(at);
    if (length < NLA_HDRLEN || length > bytes.size - at) return;
    take(bytes.U16(at + 2) & NLA_TYPE_MASK, bytes.Part(at + NLA_HDRLEN, length - NLA_HDRLEN));
    at += NLA_ALIGN(length);
  }
}

/// Builds a request to a generic netlink family.
class Request {
 public:
  Request(uint16_t family, uint8_t command, uint16_t flags) {
    U32(0), U16(family), U16(flags | NLM_F_REQUEST), U32(0), U32(0);
    U16(static_cast<uint16_t>(command | 1 << 8)), U16(0);
  }

  void Flag(uint16_t type) { U16(NLA_HDRLEN), U16(type); }
  void Number(uint16_t type, uint32_t value) { U16(NLA_HDRLEN + 4), U16(type), U32(value); }
  void Text(uint16_t type, const char* text) {
    size_t length = std::strlen(text) + 1;
    U16(static_cast<uint16_t>(NLA_HDRLEN + length)), U16(type);
    for (size_t at = 0; at < NLA_ALIGN(length); at++) U8(at < length ? static_cast<uint8_t>(text[at]) : 0);
  }

  /// Writes length and sequence number and returns the message; empty if the buffer was too small.
  Bytes Close(uint32_t sequence) {
    uint32_t length = static_cast<uint32_t>(size_);
    std::memcpy(bytes_.data(), &length, sizeof length);
    std::memcpy(bytes_.data() + 8, &sequence, sizeof sequence);
    return fits_ ? Bytes{bytes_.data(), size_} : Bytes{};
  }

 private:
  void U8(uint8_t value) {
    if (size_ < bytes_.size()) bytes_[size_++] = value;
    else fits_ = false;
  }
  void U16(int value) { U8(value & 0xff), U8(value >> 8 & 0xff); }
  void U32(uint32_t value) { U16(value & 0xffff), U16(static_cast<int>(value >> 16)); }

  std::array<uint8_t, 256> bytes_{};
  size_t size_ = 0;
  bool fits_ = true;
};

}  // namespace dunlin::radio
