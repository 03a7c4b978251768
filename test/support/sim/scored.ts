import { randomUUID } from 'node:crypto';
import { LocalFrame } from '../../../src/geo/local_frame.ts';
import { sampleTrack } from '../../../src/http/openapi/samples.ts';
import type { Alert } from '../../../src/model/alert.ts';
import { type ScenarioSpec, scenarioSpecSchema } from '../../../src/model/scenario.ts';
import type { Track } from '../../../src/model/track.ts';
import { type Zone, zoneSchema } from '../../../src/model/zone.ts';
import { RunScorer } from '../../../src/sim/score/run_scorer.ts';
import type { TruePlace } from '../../../src/sim/score/truth.ts';

export const beginMs = Date.parse('2026-06-01T10:00:00.000Z');
export const origin = { lat: 52, lon: 4, alt_hae_m: 40 };
const frame = new LocalFrame(origin.lat, origin.lon, origin.alt_hae_m);

export type At = readonly [eastM: number, northM: number, upM: number];

export function scenarioOf(changes: Record<string, unknown>): ScenarioSpec {
  const body = { name: 'made up', duration_s: 60, origin, actors: [], sensors: [] };
  return scenarioSpecSchema.parse({ ...body, ...changes });
}

export const actor = (id: string, changes: Record<string, unknown> = {}) => ({
  ...{ id, kind: 'drone', start: { east_m: 0, north_m: 0 } },
  ...changes,
});

export function placeAt(id: string, [eastM, northM, upM]: At, changes: Partial<TruePlace> = {}): TruePlace {
  const still = { eastMps: 0, northMps: 0, upMps: 0, airborne: true, visible: true };
  return { id, kind: 'drone', ...frame.toGeodetic(eastM, northM, upM), ...still, ...changes };
}

export function trackAt(id: string, atMs: number, [eastM, northM, upM]: At, changes: Partial<Track> = {}): Track {
  const { latDeg: lat, lonDeg: lon, altHaeM } = frame.toGeodetic(eastM, northM, upM);
  const position = { lat, lon, alt_hae_m: altHaeM, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null };
  return { ...sampleTrack, id, position, velocity: null, updated_at: new Date(atMs).toISOString(), ...changes };
}

export function alertAbout(trackIds: readonly string[], changes: Partial<Alert> = {}): Alert {
  const at = new Date(beginMs).toISOString();
  const times = { raised_at: at, updated_at: at, escalated_at: null, cleared_at: null, settled_at: null };
  const alert = {
    ...{
      id: randomUUID(),
      rule_id: 'zone_entry',
      rule_version: 1,
      severity: 'warning' as const,
      state: 'active' as const,
    },
    ...{ subject: { type: 'track' as const, id: trackIds[0] ?? '', label: 'T-0001' }, text: 'it is there', count: 1 },
    ...{ track_ids: [...trackIds], zone_id: null, acknowledged: null, cleared_reason: null, ...times },
    ...changes,
  };
  const { rule_id, zone_id, severity, text } = alert;
  return { ...alert, steps: changes.steps ?? [{ at, rule_id, zone_id, severity, text }] };
}

/** A square about the origin. */
export function squareZone(halfM: number, changes: Record<string, unknown> = {}): Zone {
  const corner = (e: number, n: number): [number, number] => {
    const { latDeg, lonDeg } = frame.toGeodetic(e * halfM, n * halfM, 0);
    return [lonDeg, latDeg];
  };
  const ring = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
  const at = new Date(beginMs).toISOString();
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const row = { id: randomUUID(), version: 1, created_at: at, updated_at: at };
  return zoneSchema.parse({ ...row, name: 'the square', kind: 'protected', geometry, ...changes });
}

export function keeperOf(scenario: ScenarioSpec, zones: readonly Zone[] = []): RunScorer {
  return new RunScorer(scenario, { beginMs, zones: () => zones, actorOf: (assetId) => assetId });
}

/** One look, so many seconds after the beginning, at whom each track follows. */
export function lookAt(
  keeper: RunScorer,
  atS: number,
  truth: readonly TruePlace[],
  tracks: readonly Track[],
  levels: Record<string, 'none' | 'low' | 'medium' | 'high' | 'critical'> = {},
): void {
  const threats = Object.entries(levels).map(([track_id, level]) => ({ track_id, level }));
  keeper.evaluate({ atMs: beginMs + atS * 1000, truth, tracks, threats });
}
