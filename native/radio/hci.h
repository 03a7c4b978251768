// Constants that a scanning host needs of the Host Controller Interface (Bluetooth Core 5.4, volume 4, part E). Packets
// begin with the type byte of H4 (the UART transport).
#pragma once

#include "bytes.h"

namespace dunlin::radio {

inline constexpr uint8_t kHciCommand = 1;
inline constexpr uint8_t kHciEvent = 4;

inline constexpr uint8_t kCommandComplete = 0x0e;
inline constexpr uint8_t kCommandStatus = 0x0f;
inline constexpr uint8_t kHardwareError = 0x10;
inline constexpr uint8_t kLeMeta = 0x3e;

/// Kinds of LE events that report advertising.
inline constexpr uint8_t kReport = 0x02;
inline constexpr uint8_t kExtendedReport = 0x0d;

/// Length of type, code and length field, which precede the parameters of an event.
inline constexpr size_t kEventHeader = 3;

}  // namespace dunlin::radio
