// Check of HciSieve, the filter for advertising reports, with random and damaged events, to be built with
// AddressSanitizer and UBSan. Prints the failed check and exits with 1; otherwise prints the numbers of rounds and of
// packets that passed.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "../radio/hci_sieve.h"
#include "chance.h"

namespace {

using namespace dunlin;
using namespace dunlin::radio;
using List = std::vector<uint8_t>;

[[noreturn]] void Fail(const char* what, long round) {
  std::printf("%s (round %ld)\n", what, round);
  std::exit(1);
}

/// Returns random advertising data with parts of the Remote ID mark, and with the whole mark if `is_ours`.
List Data(Chance& chance, bool is_ours) {
  List data(static_cast<size_t>(chance.Below(60)));
  for (uint8_t& byte : data) byte = static_cast<uint8_t>(chance.OneIn(2) ? kRemoteIdMark[chance.Below(3)] : chance.Below(256));
  // The last byte of the mark is removed from the random data, so that no mark arises by chance.
  for (uint8_t& byte : data)
    if (byte == kRemoteIdMark[3]) byte = 0;
  if (is_ours) data.insert(data.begin() + chance.Below(static_cast<int>(data.size()) + 1), std::begin(kRemoteIdMark), std::end(kRemoteIdMark));
  return data;
}

List Report(uint8_t set, int status, const List& data) {
  List report(24);
  report[0] = static_cast<uint8_t>(status << 5);
  report[3] = set;
  report[23] = static_cast<uint8_t>(data.size());
  report.insert(report.end(), data.begin(), data.end());
  return report;
}

List Event(const List& report) {
  List event{kHciEvent, kLeMeta, static_cast<uint8_t>(2 + report.size()), kExtendedReport, 1};
  event.insert(event.end(), report.begin(), report.end());
  return event;
}

/// Sends advertising sets of eight transmitters in interleaved fragments. Sets with the mark must arrive whole and in
/// order; all others must not arrive.
void CheckChoice(Chance& chance, HciSieve& sieve, long round) {
  std::map<uint8_t, List> sent, arrived;
  std::vector<std::vector<List>> parts;
  for (uint8_t set = 0; set < 8; set++) {
    bool is_ours = chance.OneIn(2);
    List data = Data(chance, is_ours), all;
    parts.emplace_back();
    for (size_t at = 0, size; at < data.size() || at == 0; at += size) {
      size = 1 + static_cast<size_t>(chance.Below(40));
      // The last fragment takes all remaining data, because a set with too many fragments would be dropped.
      if (parts.back().size() == 12) size = data.size();
      size_t end = std::min(at + size, data.size());
      parts.back().push_back(Report(set, end < data.size(), List(data.begin() + static_cast<long>(at), data.begin() + static_cast<long>(end))));
      all.insert(all.end(), parts.back().back().begin(), parts.back().back().end());
    }
    if (is_ours) sent[set] = all;
  }
  uint64_t now = static_cast<uint64_t>(round) * 2'000 + 1;
  for (bool any = true; any;) {
    any = false;
    for (auto& left : parts) {
      if (left.empty() || chance.OneIn(2)) { any |= !left.empty(); continue; }
      List event = Event(left.front());
      left.erase(left.begin());
      any |= !left.empty();
      sieve.Sift({event.data(), event.size()}, now, [&](Bytes packet) {
        List& all = arrived[packet.U8(12)];
        all.insert(all.end(), packet.data + 9, packet.data + packet.size);
      });
    }
  }
  if (arrived != sent) Fail("the passed reports are not those of the sets with a mark", round);
}

}  // namespace

int main(int, char** argv) {
  Chance chance(std::strtoull(argv[1], nullptr, 10));
  long rounds = std::strtol(argv[2], nullptr, 10), passed = 0;
  auto sieve = std::make_unique<HciSieve>(), hostile = std::make_unique<HciSieve>();
  for (long round = 0; round < rounds; round++) {
    if (round % 10 == 0) CheckChoice(chance, *sieve, round);
    List event = Event(Report(static_cast<uint8_t>(chance.Below(200)), chance.Below(4), Data(chance, chance.OneIn(3))));
    if (chance.OneIn(2)) event[3] = kReport;
    if (chance.OneIn(8)) event.resize(static_cast<size_t>(chance.Below(300)));
    for (int left = chance.Below(4); left > 0 && !event.empty(); left--)
      event[static_cast<size_t>(chance.Below(static_cast<int>(event.size())))] = static_cast<uint8_t>(chance.Below(256));
    // The memory has exactly the size of the event, so that the sanitizer finds every read beyond it.
    std::unique_ptr<uint8_t[]> exact(new uint8_t[event.size()]);
    std::copy(event.begin(), event.end(), exact.get());
    hostile->Sift({exact.get(), event.size()}, static_cast<uint64_t>(round / 3) + 1, [&](Bytes packet) {
      if (packet.size < 9 || packet.size > 9 + 255 || packet.U8(6) + size_t{7} != packet.size) Fail("a packet has a false size", round);
      passed++;
    });
  }
  std::printf("%ld rounds, %ld passed\n", rounds, passed);
}
