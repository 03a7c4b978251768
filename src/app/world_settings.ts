import type { TrackLife } from '../core/tracking/settings.ts';
import type { Config } from '../host/config.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { WorldSettings } from '../world/world_deps.ts';

/** Returns the settings of the configuration for every world of the box. Links and sensors are empty. */
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
    tracking: { ...lifeOf(tracking), maxTracks: tracking.max_tracks },
    stream: { trackHz: stream.track_hz, tickMs: stream.tick_ms, replayEvents: stream.replay_events },
  };
}

export function lifeOf(tracking: DecisionPolicy['tracking']): TrackLife {
  return {
    confirmHits: tracking.confirm_hits,
    confirmWindowS: tracking.confirm_window_s,
    coastS: tracking.coast_s,
    lostS: tracking.lost_s,
    closeS: tracking.close_s,
  };
}

/** Returns a decision configuration without the fields that the service sets: version, time and author. */
export function policyOf({
  version: _version,
  updated_at: _at,
  updated_by: _by,
  ...policy
}: DecisionPolicy & { version?: unknown; updated_at?: unknown; updated_by?: unknown }): DecisionPolicy {
  return policy;
}
