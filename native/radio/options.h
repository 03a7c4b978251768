// Command line of the program.
#pragma once

#include <getopt.h>

#include "failure.h"

namespace dunlin::radio {

inline constexpr const char* kHelp =
    "Usage: dunlin-radio NAME [--config FILE] [--listen PATH] [--no-tune]\n"
    "       dunlin-radio --read FILE --listen PATH\n"
    "       dunlin-radio NAME --describe\n"
    "\n"
    "Listens with the Wi-Fi adapter NAME for aircraft (Remote ID, DJI DroneID, the French beacon), or with the Bluetooth\n"
    "adapter hciN (Remote ID), and passes their frames to one client of a Unix socket, as a pcapng stream. Sends nothing\n"
    "over the air.\n"
    "\n"
    "  --config FILE  Wi-Fi channels and dwell times; without it, channel 6\n"
    "  --listen PATH  where the socket is created; without it, systemd passes it\n"
    "  --no-tune      takes the interface as it is: in monitor mode, up, on its channel\n"
    "  --describe     prints what the adapter can do, as JSON\n"
    "  --read FILE    reads a capture (pcap, pcapng) in place of a radio, and ends with it\n"
    "  --help         this text\n"
    "\n"
    "Exit codes: 0 ended on request, or the file is read; 1 a failure, or the adapter is gone; 2 wrong use; 78 a bad configuration.\n";

struct Options {
  const char* name = nullptr;
  const char* config = nullptr;
  const char* listen = nullptr;
  const char* read = nullptr;
  bool tune = true;
  bool describe = false;
};

inline Options ReadOptions(int argc, char** argv) {
  static const option kOptions[] = {{"config", required_argument, nullptr, 'c'}, {"listen", required_argument, nullptr, 'l'},
                                    {"no-tune", no_argument, nullptr, 'n'},      {"read", required_argument, nullptr, 'r'},
                                    {"describe", no_argument, nullptr, 'd'},     {"help", no_argument, nullptr, 'h'},
                                    {}};
  Options options;
  for (int found; (found = ::getopt_long(argc, argv, "", kOptions, nullptr)) != -1;) switch (found) {
      case 'c': options.config = optarg; break;
      case 'l': options.listen = optarg; break;
      case 'n': options.tune = false; break;
      case 'r': options.read = optarg; break;
      case 'd': options.describe = true; break;
      case 'h': std::fputs(kHelp, stdout); std::exit(0);
      default: std::fputs(kHelp, stderr); std::exit(kWrongUse);
    }
  if (optind < argc) options.name = argv[optind++];
  if (optind < argc || (options.name != nullptr) == (options.read != nullptr))
    Fail(kWrongUse, "give the name of one adapter, or --read FILE; see dunlin-radio --help");
  return options;
}

}  // namespace dunlin::radio
