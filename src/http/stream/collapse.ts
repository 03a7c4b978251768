import type { EventKind } from '../../model/event.ts';

/**
 * Treatment of an event that waits for a blocked client.
 * - `keep`: it is sent as it is; nothing replaces it.
 * - `new`: an object begins; later changes of it merge into it.
 * - `merge`: carries changed fields; later ones overwrite earlier ones field by field.
 * - `replace`: carries the whole row; only the last counts.
 * - `state`: a change of state; two become one from the first `was` to the last `state`.
 * - `remove`: an object ends; nothing of it that still waits is sent.
 * - `restart`: only ever the first event of a client; never waits.
 */
type Collapse = 'keep' | 'new' | 'merge' | 'replace' | 'state' | 'remove' | 'restart';

/** Treatment of each kind, and the family of its objects; ids of two families never meet. */
export const collapseOf: Record<EventKind, { how: Collapse; family: string }> = {
  snapshot: { how: 'restart', family: '' },
  resume: { how: 'restart', family: '' },
  track_new: { how: 'new', family: 'track' },
  track_update: { how: 'merge', family: 'track' },
  track_state: { how: 'state', family: 'track' },
  track_removed: { how: 'remove', family: 'track' },
  threat_update: { how: 'replace', family: 'threat' },
  threat_cleared: { how: 'remove', family: 'threat' },
  zone_event: { how: 'keep', family: '' },
  sensor_update: { how: 'replace', family: 'sensor' },
  sensor_removed: { how: 'remove', family: 'sensor' },
  link_update: { how: 'replace', family: 'link' },
  link_removed: { how: 'remove', family: 'link' },
  asset_update: { how: 'replace', family: 'asset' },
  asset_removed: { how: 'remove', family: 'asset' },
  fleet_update: { how: 'replace', family: 'fleet' },
  fleet_removed: { how: 'remove', family: 'fleet' },
  command_update: { how: 'replace', family: 'command' },
  task_update: { how: 'replace', family: 'task' },
  assignment_update: { how: 'replace', family: 'assignment' },
  assignment_removed: { how: 'remove', family: 'assignment' },
  zone_update: { how: 'replace', family: 'zone' },
  zone_removed: { how: 'remove', family: 'zone' },
  region_update: { how: 'replace', family: 'region' },
  region_removed: { how: 'remove', family: 'region' },
  alert: { how: 'keep', family: '' },
  alert_update: { how: 'keep', family: '' },
  live_alert: { how: 'keep', family: '' },
  engagement_update: { how: 'replace', family: 'engagement' },
  config_change: { how: 'keep', family: '' },
  doctrine_change: { how: 'keep', family: '' },
  discovery_change: { how: 'keep', family: '' },
  sim_state: { how: 'replace', family: 'sim' },
  run_update: { how: 'replace', family: 'run' },
  log: { how: 'keep', family: '' },
};
