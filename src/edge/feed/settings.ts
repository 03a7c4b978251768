/** Settings of feeds, from the configuration. */
export type FeedSettings = {
  /** Observations whose corrected time is older or further ahead are kept as detections but move no track. */
  maxAgeS: number;
  aheadS: number;
  /** Greatest number of messages of one sender a second; messages above it are counted as `rate`. */
  senderMsgsPerS: number;
  /** Senders remembered on one link; the one that is silent longest makes room. */
  maxSenders: number;
};
