// Packets of a capture file in memory: pcapng or pcap in the byte order of this machine, link type 127 (radiotap).
#pragma once

#include "bytes.h"
#include "pcapng.h"

namespace dunlin::radio {

struct CapturedPacket {
  Bytes bytes;
  size_t length = 0;
  uint64_t time_us = 0;
};

class CaptureFile {
 public:
  explicit CaptureFile(Bytes file) : file_(file) {
    uint32_t magic = file.U32(0);
    is_pcapng_ = magic == kSection && file.U32(8) == kOrder;
    bool is_pcap = magic == kMicro || magic == kNano;
    units_per_us_ = magic == kNano ? 1'000 : 1;
    if (is_pcap) at_ = 24;
    link_type_ = is_pcap ? file.U32(20) & 0xffff : 0;
    readable_ = is_pcapng_ || (is_pcap && link_type_ == kLinkRadiotap);
  }

  /// False if the file has another format or byte order, or is a pcap file of another link type. In a pcapng file,
  /// packets of other link types are skipped.
  bool is_readable() const { return readable_; }

  /// Reads the next packet; false at the end of the file, and at a record that is damaged or cut off.
  bool Next(CapturedPacket& packet) { return readable_ && (is_pcapng_ ? NextBlock(packet) : NextRecord(packet)); }

 private:
  static constexpr uint32_t kSection = 0x0a0d0d0a, kOrder = 0x1a2b3c4d, kMicro = 0xa1b2c3d4, kNano = 0xa1b23c4d;

  bool NextRecord(CapturedPacket& packet) {
    constexpr size_t kHead = 16;
    if (file_.size < at_ + kHead) return false;
    size_t captured = file_.U32(at_ + 8);
    if (captured > file_.size - at_ - kHead) return false;
    packet = {file_.Part(at_ + kHead, captured), file_.U32(at_ + 12),
              file_.U32(at_) * uint64_t{1'000'000} + file_.U32(at_ + 4) / units_per_us_};
    at_ += kHead + captured;
    return true;
  }

  bool NextBlock(CapturedPacket& packet) {
    constexpr size_t kHead = 28, kFrame = 12;
    while (file_.size >= kFrame && at_ <= file_.size - kFrame) {
      Bytes block = file_.From(at_);
      size_t total = block.U32(4);
      if (total < kFrame || total % 4 || total > block.size || block.U32(total - 4) != total) return false;
      at_ += total;
      if (block.U32(0) == kSection && block.U32(8) != kOrder) return false;
      if (block.U32(0) == kSection) interfaces_ = 0;
      if (block.U32(0) == 1) AddInterface(block.U16(8));
      if (block.U32(0) != 6 || total < kHead + 4 || !IsRadiotap(block.U32(8))) continue;
      size_t captured = block.U32(20);
      if (captured > total - kHead - 4) return false;
      packet = {block.Part(kHead, captured), block.U32(24), static_cast<uint64_t>(block.U32(12)) << 32 | block.U32(16)};
      return true;
    }
    return false;
  }

  void AddInterface(uint16_t link_type) {
    uint64_t bit = interfaces_ < 64 ? uint64_t{1} << interfaces_ : 0;
    radiotap_ = link_type == kLinkRadiotap ? radiotap_ | bit : radiotap_ & ~bit;
    interfaces_++;
  }
  bool IsRadiotap(uint32_t interface) const {
    return interface < interfaces_ && interface < 64 && radiotap_ >> interface & 1;
  }

  Bytes file_;
  size_t at_ = 0;
  uint32_t units_per_us_ = 1;
  uint32_t link_type_ = 0;
  uint32_t interfaces_ = 0;
  uint64_t radiotap_ = 0;
  bool is_pcapng_ = false;
  bool readable_ = false;
};

}  // namespace dunlin::radio
