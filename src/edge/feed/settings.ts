/** Settings of feeds, from the configuration. */
export type FeedSettings = {
  /**
   * Greatest age of an observation, and greatest time by which it may be ahead of our clock, s. An observation
   * outside these limits, after clock correction, becomes a detection that updates no track.
   */
  maxAgeS: number;
  aheadS: number;
  /** Greatest number of messages of one sender a second. Further messages are counted as `rate`. */
  senderMsgsPerS: number;
  /** Greatest number of senders in a `SenderMap` of a link. A further one evicts the sender with the oldest last message. */
  maxSenders: number;
};
