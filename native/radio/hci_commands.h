// Commands that set up a controller for passive scanning, in the order in which they are sent.
#pragma once

#include <array>
#include <span>

#include "hci.h"

namespace dunlin::radio {

enum class Phase {
  kReset,
  kEventMask,
  kLeEventMask,
  kLeFeatures,
  kExtendedScanParameters,
  kExtendedScanEnable,
  kScanParameters,
  kScanEnable,
  kScanning,
};

struct Command {
  uint16_t opcode;
  const char* name;
  std::span<const uint8_t> parameters;
};

/// All events of the default mask, and LE events (bit 61).
inline constexpr uint8_t kEventMask[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0x00, 0x20};
/// Advertising reports (bit 1) and extended advertising reports (bit 12).
inline constexpr uint8_t kLeEventMask[] = {0x02, 0x10, 0, 0, 0, 0, 0, 0};
/// Parameters: own address type, filter policy, layers; then scan type (passive), interval and window of each layer, in
/// units of 0.625 ms. The interval is 60 ms: the coded layer has two thirds of it, the 1M layer one third.
inline constexpr uint8_t kBothLayers[] = {0, 0, 0x05, 0, 0x60, 0, 0x20, 0, 0, 0x60, 0, 0x40, 0};
inline constexpr uint8_t kOneLayer[] = {0, 0, 0x01, 0, 0x60, 0, 0x60, 0};
/// Parameters: on, duplicates not filtered, no duration, no period.
inline constexpr uint8_t kExtendedOn[] = {1, 0, 0, 0, 0, 0};
inline constexpr uint8_t kScan[] = {0, 0x60, 0, 0x60, 0, 0, 0};
inline constexpr uint8_t kOn[] = {1, 0};

inline Command CommandOf(Phase phase, bool has_coded) {
  switch (phase) {
    case Phase::kReset: return {0x0c03, "Reset", {}};
    case Phase::kEventMask: return {0x0c01, "Set Event Mask", kEventMask};
    case Phase::kLeEventMask: return {0x2001, "LE Set Event Mask", kLeEventMask};
    case Phase::kExtendedScanParameters:
      return {0x2041, "LE Set Extended Scan Parameters", has_coded ? std::span<const uint8_t>(kBothLayers) : kOneLayer};
    case Phase::kExtendedScanEnable: return {0x2042, "LE Set Extended Scan Enable", kExtendedOn};
    case Phase::kScanParameters: return {0x200b, "LE Set Scan Parameters", kScan};
    case Phase::kScanEnable: return {0x200c, "LE Set Scan Enable", kOn};
    case Phase::kLeFeatures:
    case Phase::kScanning: break;
  }
  // This command is used again while the controller scans, as a check that it still answers.
  return {0x2003, "LE Read Local Supported Features", {}};
}

/// Writes a command as an H4 packet into `room`, and returns the packet.
inline Bytes WriteCommand(const Command& command, std::array<uint8_t, 32>& room) {
  room[0] = kHciCommand;
  room[1] = command.opcode & 0xff;
  room[2] = command.opcode >> 8;
  room[3] = static_cast<uint8_t>(command.parameters.size());
  if (!command.parameters.empty()) std::memcpy(room.data() + 4, command.parameters.data(), command.parameters.size());
  return {room.data(), 4 + command.parameters.size()};
}

}  // namespace dunlin::radio
