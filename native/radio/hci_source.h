// A Bluetooth adapter as a source: sets up its controller and passes on reports of aircraft.
#pragma once

#include <ctime>

#include "hci_dialogue.h"
#include "hci_sieve.h"
#include "hci_socket.h"
#include "rest.h"
#include "stream.h"

namespace dunlin::radio {

class HciSource {
 public:
  explicit HciSource(HciSocket& socket) : socket_(socket), dialogue_(socket.name(), Now()) {}

  int fd() const { return socket_.fd(); }
  int tuner_fd() const { return -1; }
  unsigned tuned_mhz() const { return 0; }
  /// True if a command is due. The server checks this each second, so a command is at most one second late.
  bool is_due(Stream&) const { return dialogue_.IsDue(Now()); }

  const char* note() const {
    if (dialogue_.reach() == Reach::kUnknown) return "";
    return dialogue_.reach() == Reach::kLong ? "\"coded\":true," : "\"coded\":false,";
  }

  /// Reads the waiting packets, at most one batch; false if the adapter is gone.
  bool Read(Stream& stream) {
    Bytes packet;
    auto outcome = HciSocket::Outcome::kPacket;
    for (int left = kBatch; left > 0 && outcome == HciSocket::Outcome::kPacket; left--) {
      outcome = socket_.Read(packet);
      if (outcome == HciSocket::Outcome::kPacket) Take(packet, stream);
    }
    if (outcome == HciSocket::Outcome::kGone) return false;
    if (outcome == HciSocket::Outcome::kNone) Rest();
    Bytes command = dialogue_.Step(Now(), room_);
    return command.size == 0 || socket_.Send(command);
  }

  void Count(uint64_t& received, uint64_t& dropped) {
    received = received_;
    dropped = socket_.dropped();
  }

 private:
  static constexpr int kBatch = 32;

  /// Monotonic time, ms; never 0.
  static uint64_t Now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000 + 1;
  }

  /// Processes a packet. Only events are processed: a scanning controller sends no data packets.
  void Take(Bytes packet, Stream& stream) {
    if (packet.U8(0) != kHciEvent) return;
    if (packet.U8(1) != kLeMeta) return dialogue_.Event(packet.U8(1), packet.Part(kEventHeader, packet.U8(2)), Now());
    uint64_t time_us = Stream::NowUs();
    size_t reports = sieve_.Sift(packet, Now(), [&](Bytes report) { stream.Pass(report, report.size, time_us); });
    if (reports > 0) dialogue_.Received(Now());
    received_ += reports;
    stream.Count(reports);
  }

  HciSocket& socket_;
  HciDialogue dialogue_;
  HciSieve sieve_;
  std::array<uint8_t, 32> room_;
  uint64_t received_ = 0;
};

}  // namespace dunlin::radio
