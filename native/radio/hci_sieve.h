// Filter for advertising reports: only those with Remote ID are passed on to the daemon, and an empty event for each
// event that is cut off. A controller may put several reports into one event. Each report is passed on as an event of
// its own, so that the daemon gets no report of another device.
#pragma once

#include <algorithm>

#include "hci.h"
#include "hci_sets.h"

namespace dunlin::radio {

/// Layout of a report: length of the header before the data, offset of the data's length byte, length of the tail after
/// the data.
struct ReportForm {
  size_t header, length_at, tail;
};
inline constexpr ReportForm kLegacyForm{9, 8, 1};
inline constexpr ReportForm kExtendedForm{24, 23, 0};

class HciSieve {
 public:
  /// Reads an LE event and calls `pass` with each packet to pass on, preceded by the direction field of link type 201.
  /// If an event is cut off, an event without content follows its complete reports, so that the daemon counts it.
  /// Returns the number of complete reports in the event.
  template <typename Pass>
  size_t Sift(Bytes packet, uint64_t now, Pass&& pass) {
    size_t length = packet.U8(2);
    Bytes event = packet.Part(kEventHeader, length);
    uint8_t kind = event.U8(0);
    if (event.size < length) return Cut(kExtendedReport, pass);
    if (kind != kReport && kind != kExtendedReport) return 0;
    const ReportForm& form = kind == kReport ? kLegacyForm : kExtendedForm;
    size_t at = 2, count = event.U8(1);
    for (size_t number = 0; number < count; number++) {
      size_t data = event.U8(at + form.length_at), size = form.header + data + form.tail;
      if (at + size > event.size) return number + Cut(kind, pass);
      auto pass_report = [&](Bytes report) { PassOn(kind, report, pass); };
      Choose(kind, event.Part(at, size), event.Part(at + form.header, data), now, pass_report);
      at += size;
    }
    return count;
  }

 private:
  template <typename Pass>
  void Choose(uint8_t kind, Bytes report, Bytes data, uint64_t now, Pass&& pass) {
    if (kind == kExtendedReport) sets_.Take(report, data, now, pass);
    else if (HasRemoteId(data)) pass(report);
  }

  /// Passes on an event that announces a report but contains none.
  template <typename Pass>
  size_t Cut(uint8_t kind, Pass&& pass) {
    PassOn(kind, {}, pass);
    return 0;
  }

  template <typename Pass>
  void PassOn(uint8_t kind, Bytes report, Pass&& pass) {
    constexpr uint8_t kHead[] = {0, 0, 0, 1, kHciEvent, kLeMeta};
    std::copy(std::begin(kHead), std::end(kHead), packet_.begin());
    packet_[6] = static_cast<uint8_t>(2 + report.size);
    packet_[7] = kind;
    packet_[8] = 1;
    if (report.size) std::memcpy(packet_.data() + kPacketHead, report.data, report.size);
    pass(Bytes{packet_.data(), kPacketHead + report.size});
  }

  /// Length of direction field (1: received), H4 type, event header, subevent code and number of reports.
  static constexpr size_t kPacketHead = 9;
  HciSets sets_;
  std::array<uint8_t, kPacketHead + 255> packet_;
};

}  // namespace dunlin::radio
