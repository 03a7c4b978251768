import type { Config } from '../../host/config.ts';
import type { WorldSettings } from '../../worlds/world_rim.ts';

/** What the configuration of the box says of every world of it, whose links and sensors are its own. */
export function worldSettings(config: Config): Omit<WorldSettings, 'workspaceId' | 'environment' | 'provenance'> {
  const { feeds, tracking, stream } = config;
  return {
    links: [],
    sensors: [],
    feeds: {
      maxAgeS: feeds.max_age_s,
      aheadS: feeds.ahead_s,
      senderMsgsPerS: feeds.sender_msgs_per_s,
      maxSenders: feeds.max_senders,
    },
    sysid: config.control.sysid,
    tracking: {
      confirmHits: tracking.confirm_hits,
      confirmWindowS: tracking.confirm_window_s,
      coastS: tracking.coast_s,
      lostS: tracking.lost_s,
      closeS: tracking.close_s,
      maxTracks: tracking.max_tracks,
    },
    stream: { trackHz: stream.track_hz, tickMs: stream.tick_ms, replayEvents: stream.replay_events },
  };
}
