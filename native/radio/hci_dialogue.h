// Set-up of a controller for passive scanning: each command follows the answer to the previous one. The set-up is
// repeated if the controller has reset itself, reports a hardware error, or has received no advertising for 60 s. The
// controller does not filter duplicates, since each repetition is a new report of the transmitter. The daemon sets up a
// controller on a serial port in the same way.
#pragma once

#include <cinttypes>

#include "failure.h"
#include "hci_commands.h"

namespace dunlin::radio {

/// Radio layers that a controller receives: kLong includes the coded layer, which Remote ID over Bluetooth 5 uses.
enum class Reach { kUnknown, kShort, kLong };

/// The set-up as a state machine. Ends the program with a sentence if the controller cannot be used. Times are ms of
/// any monotonic clock.
class HciDialogue {
 public:
  HciDialogue(const char* name, uint64_t now) : name_(name) { Begin(now); }

  Reach reach() const { return reach_; }

  /// Processes an event that is not an LE event.
  void Event(uint8_t code, Bytes parameters, uint64_t now) {
    life_ = now;
    if (code == kHardwareError) return Fault(parameters.U8(0), now);
    if (code == kCommandComplete && parameters.size >= 3) return Answered(parameters.U16(1), parameters.From(3), now);
    // Command Status has the status before the opcode.
    if (code == kCommandStatus && parameters.size >= 4 && parameters.U8(0) != 0)
      Answered(parameters.U16(2), parameters.Part(0, 1), now);
  }

  /// Records an advertising event. It also answers a pending check whether the controller is alive.
  void Received(uint64_t now) {
    life_ = received_ = now;
    if (phase_ == Phase::kScanning) Forget();
  }

  bool IsDue(uint64_t now) const { return now >= DueAt(); }

  /// Writes the command to send now to `room` and returns it; empty if none is due.
  Bytes Step(uint64_t now, std::array<uint8_t, 32>& room) {
    if (!IsDue(now)) return {};
    if (phase_ == Phase::kScanning && now >= DeafAt()) Ask(Phase::kReset);
    if (!asked_at_) asked_at_ = now;
    Command command = CommandOf(phase_, has_coded_);
    if (now - asked_at_ >= kAnswerLimitMs)
      Fail(kFailed, "the controller of %s has not answered %s for %" PRIu64 " s: unplug the adapter and plug it in again, or use another one", name_,
           command.name, kAnswerLimitMs / 1'000);
    sent_at_ = now;
    return WriteCommand(command, room);
  }

 private:
  /// Times after which an unanswered command is sent again, and after which the program gives up, ms.
  static constexpr uint64_t kRepeatMs = 2'000, kAnswerLimitMs = 5'000;
  /// Silence after which the program checks whether the controller is alive, ms.
  static constexpr uint64_t kQuietMs = 5'000;
  /// Time without any advertising after which the controller is set up again, ms.
  static constexpr uint64_t kDeafMs = 60'000;
  /// Time after a set-up, ms. If the controller announces a start within this time, the set-up itself was the cause.
  static constexpr uint64_t kSettledMs = 500;
  static constexpr int kMostFaults = 5;
  /// Bits of the LE features (Bluetooth Core 5.4, volume 6, part B, section 4.6).
  static constexpr size_t kFeatureCoded = 11, kFeatureExtended = 12;

  void Begin(uint64_t now) {
    reach_ = Reach::kUnknown;
    life_ = now;
    Ask(Phase::kReset);
  }

  void Ask(Phase phase) {
    phase_ = phase;
    Forget();
  }

  void Forget() { sent_at_ = asked_at_ = 0; }

  uint64_t DeafAt() const { return (received_ > set_up_ ? received_ : set_up_) + kDeafMs; }

  uint64_t DueAt() const {
    if (asked_at_) {
      uint64_t limit = asked_at_ + kAnswerLimitMs;
      return sent_at_ + kRepeatMs < limit ? sent_at_ + kRepeatMs : limit;
    }
    if (phase_ != Phase::kScanning) return 0;
    return life_ + kQuietMs < DeafAt() ? life_ + kQuietMs : DeafAt();
  }

  void Fault(uint8_t number, uint64_t now) {
    if (++faults_ > kMostFaults)
      Fail(kFailed, "the controller of %s reports hardware error 0x%02x at each set-up: use another adapter", name_, number);
    std::fprintf(stderr, "dunlin-radio: the controller of %s reports hardware error 0x%02x, and is set up again\n", name_, number);
    Begin(now);
  }

  void Answered(uint16_t opcode, Bytes result, uint64_t now) {
    // A repeated Reset clears all settings of the controller, so its answer begins the set-up again.
    if (opcode == CommandOf(Phase::kReset, false).opcode) return Ask(Phase::kEventMask);
    if (phase_ == Phase::kScanning) {
      Forget();
      // A controller that has restarted by itself announces that it accepts commands. Within kSettledMs of the set-up,
      // the announcement is a late effect of the set-up's own Reset.
      if (opcode == 0 && now >= set_up_ + kSettledMs) Begin(now);
      return;
    }
    if (opcode != CommandOf(phase_, has_coded_).opcode) return;
    Phase next = Next(result.U8(0), result);
    Ask(next);
    if (next == Phase::kScanning) Scan(now);
  }

  Phase Next(uint8_t status, Bytes result) {
    switch (phase_) {
      case Phase::kReset: return Phase::kEventMask;
      case Phase::kEventMask: return Phase::kLeEventMask;
      case Phase::kLeEventMask: return Phase::kLeFeatures;
      case Phase::kLeFeatures:
        has_coded_ = status == 0 && HasBit(result, kFeatureCoded);
        has_extended_ = status == 0 && HasBit(result, kFeatureExtended);
        return has_extended_ ? Phase::kExtendedScanParameters : Phase::kScanParameters;
      case Phase::kExtendedScanParameters:
        if (status == 0) return Phase::kExtendedScanEnable;
        if (!has_coded_) return WithoutExtended();
        // Some controllers announce support of coded advertising but refuse it.
        has_coded_ = false;
        return Phase::kExtendedScanParameters;
      case Phase::kExtendedScanEnable: return status == 0 ? Phase::kScanning : WithoutExtended();
      case Phase::kScanParameters: return status == 0 ? Phase::kScanEnable : Refused(status);
      case Phase::kScanEnable:
      case Phase::kScanning: break;
    }
    return status == 0 ? Phase::kScanning : Refused(status);
  }

  Phase WithoutExtended() {
    has_extended_ = false;
    return Phase::kScanParameters;
  }

  [[noreturn]] Phase Refused(uint8_t status) {
    Fail(kFailed, "the controller of %s refused %s with status 0x%02x: it cannot scan, so use another adapter", name_,
         CommandOf(phase_, has_coded_).name, status);
  }

  void Scan(uint64_t now) {
    set_up_ = now;
    faults_ = 0;
    reach_ = has_coded_ && has_extended_ ? Reach::kLong : Reach::kShort;
    if (reach_ == Reach::kShort && !is_limit_known_)
      std::fprintf(stderr, "dunlin-radio: no long range: the controller of %s cannot receive coded advertising\n", name_);
    is_limit_known_ = reach_ == Reach::kShort;
  }

  /// Whether a feature is supported; the feature bits follow the status byte.
  static bool HasBit(Bytes result, size_t bit) { return result.U8(1 + bit / 8) >> bit % 8 & 1; }

  const char* name_;
  Phase phase_ = Phase::kReset;
  Reach reach_ = Reach::kUnknown;
  uint64_t sent_at_ = 0, asked_at_ = 0, life_ = 0, received_ = 0, set_up_ = 0;
  bool has_coded_ = false, has_extended_ = false, is_limit_known_ = false;
  int faults_ = 0;
};

}  // namespace dunlin::radio
