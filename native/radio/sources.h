// Sources of 802.11 frames: a Wi-Fi adapter, and a capture file.
#pragma once

#include "capture_file.h"
#include "packet_socket.h"
#include "sieve.h"
#include "stream.h"
#include "tuner.h"

namespace dunlin::radio {

/// Counts a frame, and passes it on if Sift selects it.
inline void SiftInto(Stream& stream, Bytes packet, size_t length, uint64_t time_us) {
  Sifted sifted = Sift(packet, length);
  stream.Count(1, sifted.bad_fcs, sifted.freq_mhz);
  if (sifted.passes) stream.Pass(packet, length, time_us);
}

class RadioSource {
 public:
  /// `tuner`: null if the program does not choose the channel.
  RadioSource(PacketSocket& socket, const Tuner* tuner) : socket_(socket), tuner_(tuner) {}

  int fd() const { return socket_.fd(); }
  bool is_due(Stream&) const { return false; }
  int tuner_fd() const { return tuner_ ? tuner_->fd() : -1; }
  unsigned tuned_mhz() const { return tuner_ ? tuner_->mhz() : 0; }
  const char* note() const { return ""; }
  bool Read(Stream& stream) {
    return socket_.Read([&](const Packet& packet) { SiftInto(stream, packet.bytes, packet.length, packet.time_us); });
  }
  void Count(uint64_t& received, uint64_t& dropped) { socket_.Count(received, dropped); }

 private:
  PacketSocket& socket_;
  const Tuner* tuner_;
};

/// A capture file as a source. It waits for a client and for room in the client's buffer, so that no packet of the file
/// is lost.
class FileSource {
 public:
  explicit FileSource(Bytes file) : file_(file) {}

  bool is_readable() const { return file_.is_readable(); }
  int fd() const { return -1; }
  int tuner_fd() const { return -1; }
  bool is_due(Stream& stream) const {
    return stream.client().is_connected() && stream.client().room() >= Stream::kLongestRecord;
  }
  unsigned tuned_mhz() const { return 0; }
  const char* note() const { return ""; }
  bool Read(Stream& stream) {
    CapturedPacket packet;
    while (is_due(stream)) {
      if (!file_.Next(packet)) return false;
      received_++;
      SiftInto(stream, packet.bytes.Part(0, kSnapLength), packet.length, packet.time_us);
    }
    return true;
  }
  void Count(uint64_t& received, uint64_t&) { received = received_; }

 private:
  CaptureFile file_;
  uint64_t received_ = 0;
};

}  // namespace dunlin::radio
