import type { Detection } from '../../model/detection.ts';
import { type LogEvent, unattended } from '../../model/event.ts';
import type { Health } from '../../model/health.ts';
import { type Link, noRejects, type SigningKey } from '../../model/link.ts';
import type { ObservationDocument } from '../../model/observation.ts';
import type { Picture } from '../../model/picture.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Track, TrackPoint } from '../../model/track.ts';

/**
 * Samples of the OpenAPI document, from one invented moment: a Remote ID receiver on a roof receives a quadcopter.
 * Tests validate every sample against its schema.
 */
const at = '2025-06-01T12:00:00.000Z';
const startedAt = '2025-06-01T06:30:00.000Z';
const linkId = '5e0f6a52-0d3c-8a11-9c55-0000000000a1';
const sensorId = '5e0f6a52-0d3c-8a11-9c55-0000000000b1';
const trackId = '5e0f6a52-0d3c-8a11-9c55-000000000001';
const position = { lat: 48.2103, lon: 16.3721, alt_hae_m: 265.4 };
const identity = { type: 'serial', value: '1596F3510000000000AB', transport: 'bt5' } as const;
const row = { version: 1, created_at: startedAt, updated_at: at };

export const sampleObservation: ObservationDocument = {
  obs_id: 'roof-000123',
  sensor_id: 'roof receiver',
  source_at: at,
  report: 'position',
  position,
  sigma: { h_m: 10 },
  velocity: { speed_mps: 8.5, course_deg: 312, climb_mps: 0.5 },
  identity: [identity],
  signal: { rssi_dbm: -71 },
  status: 'airborne',
};

export const sampleDetection: Detection = {
  ...sampleObservation,
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000d1',
  sensor_id: sensorId,
  link_id: linkId,
  received_at: at,
  source_at: at,
  track_id: trackId,
  rejected_by: null,
};

export const sampleTrack: Track = {
  id: trackId,
  number: 'T-0042',
  state: 'confirmed',
  affiliation: 'unknown',
  affiliation_basis: 'none',
  asset_id: null,
  position: { ...position, alt_msl_m: 221.1, alt_agl_m: null, height_takeoff_m: 80 },
  velocity: { speed_mps: 8.5, course_deg: 312, climb_mps: 0.5 },
  uncertainty: { h_m: 9.2, v_m: 14, ellipse: { major_m: 9.2, minor_m: 8.1, orientation_deg: 40 }, sigma: 1 },
  identities: [{ ...identity, first_seen_at: startedAt, last_seen_at: at }],
  classification: [{ type: 'multirotor', confidence: 0.9 }],
  cooperative: 'coop_only',
  operator: { lat: 48.208, lon: 16.369, type: 'live_gnss' },
  takeoff: null,
  status: 'airborne',
  integrity: { verdict: 'unchecked', score: 0.5, reasons: [] },
  contributors: [{ sensor_id: sensorId, last_at: at, hits: 31, rssi_dbm: -71 }],
  claims: [],
  lineage: [],
  flags: [],
  quality: 9,
  provenance: 'live',
  group_id: null,
  predicted: [{ in_s: 10, lat: 48.2108, lon: 16.3712, alt_hae_m: 270, radius_m: 25 }],
  first_seen_at: startedAt,
  last_seen_at: at,
  updated_at: at,
};

export const sampleHistory: TrackPoint[] = [
  {
    at,
    state: 'confirmed',
    ...position,
    ...{ alt_msl_m: 221.1, alt_agl_m: 51.6, height_takeoff_m: 80 },
    speed_mps: 8.5,
    course_deg: 312,
    climb_mps: 0.5,
    h_m: 9.2,
  },
];

export const sampleSensor: Sensor = {
  id: sensorId,
  asset_id: null,
  name: 'roof receiver',
  modality: 'remote_id',
  state: 'operational',
  reasons: [],
  heartbeat_s: 60,
  quiet_ok: false,
  trust: 'declared',
  placement: { lat: 48.2, lon: 16.37, alt_hae_m: 212 },
  detection: null,
  coverage: { min_range_m: 0, max_range_m: 3_000, azimuth_deg: 0, hfov_deg: 360 },
  rates: { obs_per_s: 4.2 },
  rejects: { implausible: 0 },
  latency_ms: { p50: 40, p95: 110 },
  clock_offset_ms: -12,
  bias: { range_m: 0, azimuth_deg: 0 },
  last_obs_at: at,
  link_id: linkId,
  dependent_nodes: [],
  declared_by: 'manual',
  ...row,
};

/** Id of a second track. */
export const sampleTrackInto = '5e0f6a52-0d3c-8a11-9c55-000000000002';

export const sampleLink: Link = {
  id: linkId,
  name: 'rid',
  issued_for: null,
  transport: 'udp',
  address: '127.0.0.1:14550',
  bound_to: '127.0.0.1:14550',
  baud: null,
  protocol: 'mavlink',
  phy: null,
  options: {},
  discover: 'list',
  command: 'deny',
  sources_allow: [],
  max_msgs_per_s: 5_000,
  signing: 'none',
  signing_key: false,
  tls: null,
  credentials: null,
  state: 'open',
  since: startedAt,
  last_rx_at: at,
  last_tx_at: null,
  rx_msgs: 812,
  rx_bytes: 60_112,
  tx_msgs: 0,
  rejects: noRejects(),
  seq_gaps: 0,
  sources_unplaced: 0,
  receiver_conflicts: 0,
  clock_offset_ms: null,
  retries: 0,
  next_retry_at: null,
  last_error: null,
  ...row,
};

export const sampleSigningKey: SigningKey = { passphrase: 'a long sentence that only the site knows' };

export const sampleLogEvent: LogEvent = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000e1',
  seq: 9,
  at,
  kind: 'track.new',
  severity: 'info',
  subject: { type: 'track', id: trackId, label: 'T-0042' },
  text: `T-0042 is new: serial ${identity.value}, first received or seen at ${startedAt}`,
  ...unattended,
};

export const sampleHealth: Health = {
  healthy: true,
  parts: [{ name: 'core', state: 'up', needed: true, text: 'answers' }],
};

export const sampleSimState = {
  mode: 'live',
  simulator: 'ready',
  run: 'idle',
  scenario_id: null,
  run_id: null,
  sim_at: null,
  rate: null,
} as const;

export const samplePicture: Picture = {
  epoch: '7f3a',
  seq: 4710,
  server_at: at,
  workspace_id: 'wsp_default',
  environment: 'live',
  mode: 'live',
  posture: 'normal',
  tracks: [sampleTrack],
  threats: [],
  alerts: [],
  assets: [],
  fleet: [],
  assignments: [],
  zones: [],
  regions: [],
  sensors: [sampleSensor],
  links: [sampleLink],
  outlets: [],
  engagements: [],
  tasks: [],
  autonomy: 'advise',
  autonomy_effective: 'advise',
  health: sampleHealth,
  sim: sampleSimState,
  counts: { tracks: 1 },
};

export const sampleBanner = {
  name: 'dunlin',
  version: '0.1.0',
  interface_version: '0.1.0',
  started_at: startedAt,
  mode: 'live',
  node_id: '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f',
  healthy: true,
};
