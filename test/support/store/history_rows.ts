import { randomUUID } from 'node:crypto';
import type { Detection } from '../../../src/model/detection.ts';
import { type LogEvent, unattended } from '../../../src/model/event.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { Track } from '../../../src/model/track.ts';
import type { DetectionRow, PointRow } from '../../../src/store/log/rows.ts';

/** Whole documents of each kind of history row, at a time. */
export function detectionAt(receivedMs: number, change: Partial<Detection> = {}): Detection {
  return {
    id: randomUUID(),
    obs_id: null,
    sensor_id: '5a3c1f0e-0000-4000-8000-000000000001',
    link_id: null,
    received_at: formatTime(receivedMs),
    source_at: null,
    report: 'position',
    position: {
      lat: 51.477123,
      lon: -0.001456,
      alt_hae_m: 112.5,
      alt_msl_m: null,
      alt_agl_m: null,
      height_takeoff_m: 40,
    },
    range_m: null,
    azimuth_deg: null,
    elevation_deg: null,
    sigma: { h_m: 3, v_m: 10, range_m: null, azimuth_deg: null, elevation_deg: null, speed_mps: null },
    velocity: { speed_mps: 12.25, course_deg: 271, climb_mps: -0.5 },
    identity: [{ type: 'serial', value: '1581F4BN12345678', transport: 'bt4' }],
    classification: [{ type: 'multirotor', confidence: 1, model: null }],
    operator: { lat: 51.47, lon: -0.01, alt_hae_m: null, type: 'takeoff', operator_id: 'FIN87astrdge12k8' },
    takeoff: null,
    signal: { rssi_dbm: -67, center_hz: null, bandwidth_hz: null },
    status: 'airborne',
    confidence: null,
    track_id: null,
    rejected_by: null,
    ...change,
  };
}

const parts = ['position', 'sigma', 'velocity', 'signal'] as const;

/** A detection as the history takes it: unknown values are left out. */
export function detectionRow(detection: Detection): DetectionRow {
  const { id, received_at, sensor_id, link_id, track_id, rejected_by, ...document } = detection;
  for (const part of parts) if (document[part]) Object.assign(document, { [part]: lean(document[part]) });
  return {
    ...{ id, receivedMs: Date.parse(received_at), sensorId: sensor_id, linkId: link_id, trackId: track_id },
    rejectedBy: rejected_by,
    document: lean(document) as DetectionRow['document'],
  };
}

function lean(document: object): object {
  return Object.fromEntries(Object.entries(document).map(([field, value]) => [field, value ?? undefined]));
}

export function pointAt(atMs: number, trackId: string): PointRow {
  return {
    trackId,
    atMs,
    state: 'confirmed',
    latDeg: 51.477123,
    lonDeg: -0.001456,
    altHaeM: 112.5,
    altMslM: 66.9,
    altAglM: null,
    heightTakeoffM: 40.1,
    speedMps: 12.25,
    courseDeg: 271,
    climbMps: -0.5,
    hM: 3.2,
  };
}

export function eventAt(atMs: number, seq: number, change: Partial<LogEvent> = {}): LogEvent {
  return {
    id: randomUUID(),
    seq,
    at: formatTime(atMs),
    kind: 'track.new',
    severity: 'info',
    subject: { type: 'track', id: randomUUID(), label: 'T-0042' },
    text: 'T-0042 was first seen.',
    ...unattended,
    ...change,
  };
}

export function trackAt(lastSeenMs: number, id: string, change: Partial<Track> = {}): Track {
  const at = formatTime(lastSeenMs);
  return {
    id,
    number: 'T-0042',
    state: 'confirmed',
    affiliation: 'unknown',
    affiliation_basis: 'none',
    asset_id: null,
    position: null,
    velocity: null,
    uncertainty: null,
    identities: [{ type: 'serial', value: '1581F4BN12345678', transport: 'bt4', first_seen_at: at, last_seen_at: at }],
    classification: [],
    cooperative: 'coop_only',
    operator: null,
    takeoff: null,
    status: null,
    integrity: { verdict: 'unchecked', score: 0.5, reasons: [] },
    contributors: [],
    claims: [],
    lineage: [],
    flags: [],
    quality: 3,
    provenance: 'live',
    group_id: null,
    predicted: [],
    first_seen_at: at,
    last_seen_at: at,
    updated_at: at,
    ...change,
  };
}
