import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Track } from '../../../src/model/track.ts';

const path = join(process.cwd(), '../shared/interop/outlets.jsonl');

/** A reason for tap's `skip` where the data is not at hand. */
export const outletDataMissing: string | false = existsSync(path) ? false : 'the data of outlets is not here';

/** What an outlet with some fields sends of a track. */
export type OutletCase = {
  id: string;
  node_id: string;
  at: string;
  outlet: object;
  track: Track;
  threat: { level: 'none' | 'low' | 'medium' | 'high' | 'critical'; score: number };
  asset: { id: string; name: string; cot_type: string | null } | null;
  expect: { told: boolean; why?: string; cot?: CotExpectation };
};

export type CotExpectation = {
  uid: string;
  type: string;
  how: string;
  time: string;
  start: string;
  stale: string;
  lat: number;
  lon: number;
  hae: number;
  ce: number;
  le: number;
  callsign: string;
  track: { course: number; speed: number } | null;
  extra_uids: string[];
  must_not_contain?: string[];
};

export function outletCases(): OutletCase[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const cases = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as OutletCase);
  // The data is older than the lineage of tracks.
  return cases.map((one) => ({ ...one, track: { ...one.track, lineage: one.track.lineage ?? [] } }));
}
