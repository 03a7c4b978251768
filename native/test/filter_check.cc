// Drives the plain headers with random and hostile numbers, to be built with AddressSanitizer and UBSan.
// Prints what failed and exits 1; prints the count of what was tried otherwise.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../filter.h"
#include "../geodesy.h"
#include "../sd_notify.h"

namespace {

using dunlin::Frame;

std::mt19937_64 random_bits;

double Between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_bits); }

/// Mostly sane, sometimes the edge of the world, sometimes no number at all.
double Hostile(double low, double high) {
  switch (random_bits() % 40) {
    case 0: return std::nan("");
    case 1: return INFINITY;
    case 2: return -1e308;
    case 3: return 0;
    case 4: return 1e308;
    default: return Between(low, high);
  }
}

void Fail(const char* what, double value) {
  std::printf("%s: %.17g\n", what, value);
  std::exit(1);
}

void CheckRoundTrip() {
  double lat = Between(-90, 90), lon = Between(-180, 180), height = Between(-1000, 50000);
  dunlin::Vec3 back = dunlin::EcefToGeodetic(dunlin::GeodeticToEcef(lat, lon, height));
  dunlin::Vec3 a = dunlin::GeodeticToEcef(lat, lon, height), b = dunlin::GeodeticToEcef(back[0], back[1], back[2]);
  double metres = std::hypot(std::hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
  if (!(metres < 1e-6)) Fail("a place does not come back", metres);
}

std::vector<double> SaneObservation(double time_ms, double lat, double lon) {
  std::vector<double> obs(dunlin::kObsStride);
  obs[dunlin::kObsTimeMs] = time_ms;
  obs[dunlin::kObsLat] = lat + Between(-0.001, 0.001);
  obs[dunlin::kObsLon] = lon + Between(-0.001, 0.001);
  obs[dunlin::kObsHae] = random_bits() % 3 == 0 ? std::nan("") : Between(0, 500);
  obs[dunlin::kObsSdH] = Between(1, 50);
  obs[dunlin::kObsSdV] = Between(1, 50);
  obs[dunlin::kObsVe] = random_bits() % 3 == 0 ? std::nan("") : Between(-30, 30);
  obs[dunlin::kObsVn] = Between(-30, 30);
  obs[dunlin::kObsVu] = random_bits() % 3 == 0 ? std::nan("") : Between(-5, 5);
  obs[dunlin::kObsSdSpeed] = Between(0.3, 10);
  obs[dunlin::kObsSdClimb] = Between(0.3, 10);
  return obs;
}

void CheckVariances(const double* record) {
  for (int i = 0; i < 6; i++) {
    double variance = record[dunlin::kCovariance + dunlin::Packed(i, i)];
    if (!(variance > 0)) Fail("a variance is not positive", variance);
  }
}

/// A long sane life: the state stays finite, variances positive, reports on earth; a move to another plane keeps the place.
void CheckSaneLife() {
  double lat = Between(-89, 89), lon = Between(-179, 179), time_ms = 0;
  Frame frame = Frame::At(lat, lon, 0), other = Frame::At(lat + 0.3, lon + 0.3, 0);
  std::vector<double> record(dunlin::kStride);
  dunlin::Initialise(record.data(), frame, 0, SaneObservation(0, lat, lon).data());
  const double leads[2] = {5, 30};
  double row[dunlin::kReportBase + 2 * dunlin::kReportPerLead];
  for (int i = 0; i < 200; i++) {
    time_ms += Between(-500, 3000);
    dunlin::Observe(record.data(), frame, SaneObservation(time_ms, lat, lon).data(), 8);
    CheckVariances(record.data());
    dunlin::Report(record.data(), frame, time_ms + 100, 8, leads, 2, row);
    if (!(std::abs(row[0]) <= 90 && std::abs(row[1]) <= 180)) Fail("a report is off the earth", row[0]);
  }
  dunlin::Report(record.data(), frame, time_ms, 8, leads, 0, row);
  double before_lat = row[0], before_ve = row[3];
  dunlin::Rebase(record.data(), frame, other, 1);
  CheckVariances(record.data());
  dunlin::Report(record.data(), other, time_ms, 8, leads, 0, row);
  if (!(std::abs(row[0] - before_lat) < 1e-9)) Fail("the place moved with the plane", row[0] - before_lat);
  if (!(std::abs(row[3] - before_ve) < 1e-6)) Fail("the velocity turned with the plane", row[3] - before_ve);
}

/// Numbers that are none: whatever comes out, nothing is read or written beyond its place and nothing traps.
void CheckHostileLife() {
  Frame frame = Frame::At(Hostile(-90, 90), Hostile(-180, 180), Hostile(-100, 1000));
  std::vector<double> record(dunlin::kStride), obs(dunlin::kObsStride);
  for (double& value : obs) value = Hostile(-100, 100);
  dunlin::Initialise(record.data(), frame, 0, obs.data());
  const double leads[4] = {5, 10, 20, 30};
  double row[dunlin::kReportBase + 4 * dunlin::kReportPerLead];
  for (int i = 0; i < 20; i++) {
    for (double& value : obs) value = Hostile(-100, 100);
    dunlin::GateDistance(record.data(), frame, obs.data(), 8);
    dunlin::Observe(record.data(), frame, obs.data(), 8);
    dunlin::Report(record.data(), frame, Hostile(0, 1e6), 8, leads, 4, row);
  }
  dunlin::Rebase(record.data(), frame, Frame::At(Hostile(-90, 90), 0, 0), 1);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  random_bits.seed(seed);
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; round++) {
    CheckRoundTrip();
    CheckSaneLife();
    CheckHostileLife();
  }
  if (dunlin::SdNotify("", "READY=1") || dunlin::SdNotify(std::string(500, 'x'), "READY=1") ||
      dunlin::SdNotify("/nowhere/at/all", "READY=1"))
    Fail("a socket that is not there took a note", 0);
  std::printf("%d rounds\n", kRounds);
  return 0;
}
