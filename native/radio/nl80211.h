// The few nl80211 commands that a listener needs. None of them makes the adapter transmit.
#pragma once

#include "netlink.h"
#include "wiphy.h"

namespace dunlin::radio {

/// Each command returns the kernel's error number, 0 for none.
class Nl80211 {
 public:
  explicit Nl80211(UniqueFd fd) : netlink_(std::move(fd)) {}

  int fd() const { return netlink_.fd(); }
  void Close() { netlink_.Close(); }

  /// Queries the number of the nl80211 family, which every other command needs.
  int Open() {
    Request request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
    request.Text(CTRL_ATTR_FAMILY_NAME, NL80211_GENL_NAME);
    int error = netlink_.Ask(request, [&](Bytes answer) {
      EachAttribute(answer, [&](int type, Bytes content) {
        if (type == CTRL_ATTR_FAMILY_ID) family_ = content.U16(0);
      });
    });
    return error == 0 && family_ == 0 ? ENOENT : error;
  }

  int Describe(uint32_t interface, Wiphy& wiphy) {
    Request request(family_, NL80211_CMD_GET_WIPHY, NLM_F_DUMP);
    request.Number(NL80211_ATTR_IFINDEX, interface);
    request.Flag(NL80211_ATTR_SPLIT_WIPHY_DUMP);
    return netlink_.Ask(request, [&](Bytes answer) { wiphy.Read(answer); });
  }

  /// Reads the regulatory domain: two letters, "00" if none is set.
  int Country(char (&letters)[3]) {
    Request request(family_, NL80211_CMD_GET_REG, NLM_F_ACK);
    return netlink_.Ask(request, [&](Bytes answer) {
      EachAttribute(answer, [&](int type, Bytes content) {
        for (size_t at = 0; type == NL80211_ATTR_REG_ALPHA2 && at < 2; at++)
          letters[at] = content.U8(at) < 0x21 || content.U8(at) > 0x7e || content.U8(at) == '"' || content.U8(at) == '\\'
                            ? '?'
                            : static_cast<char>(content.U8(at));
      });
    });
  }

  /// Sets monitor mode; the interface must be down.
  int SetMonitor(uint32_t interface) {
    Request request(family_, NL80211_CMD_SET_INTERFACE, NLM_F_ACK);
    request.Number(NL80211_ATTR_IFINDEX, interface);
    request.Number(NL80211_ATTR_IFTYPE, NL80211_IFTYPE_MONITOR);
    return netlink_.Ask(request);
  }

  int SetFrequency(uint32_t interface, uint32_t mhz) {
    Request request(family_, NL80211_CMD_SET_WIPHY, NLM_F_ACK);
    request.Number(NL80211_ATTR_IFINDEX, interface);
    request.Number(NL80211_ATTR_WIPHY_FREQ, mhz);
    request.Number(NL80211_ATTR_CHANNEL_WIDTH, NL80211_CHAN_WIDTH_20_NOHT);
    return netlink_.Ask(request);
  }

 private:
  Netlink netlink_;
  uint16_t family_ = 0;
};

}  // namespace dunlin::radio
