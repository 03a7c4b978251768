/** Settings of feeds, from the configuration. */
export type FeedSettings = {
  /**
   * Limits of age and of lead, s: an observation with a corrected time outside them becomes a detection that moves no
   * track.
   */
  maxAgeS: number;
  aheadS: number;
  /** Greatest number of messages of one sender a second; messages above it are counted as `rate`. */
  senderMsgsPerS: number;
  /** Senders remembered on one link; the one that is silent longest is evicted. */
  maxSenders: number;
};
