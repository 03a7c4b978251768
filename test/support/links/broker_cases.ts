import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.cwd(), '../shared/interop/mqtt_in.jsonl');

/** A reason for tap's `skip` where the data is not at hand. */
export const brokerDataMissing: string | false = existsSync(path) ? false : 'the data of brokers is not here';

/** A message that a publish makes; what is absent is null. */
export type ExpectedMessage = {
  serial?: string;
  mac: string;
  sensor: string;
  rssi_dbm: number;
  transport: string;
  lat?: number | null;
  lon?: number | null;
  alt_hae_m?: number | null;
  speed_mps?: number | null;
  climb_mps?: number | null;
  course_deg?: number | null;
  sigma_h_m?: number | null;
  sigma_v_m?: number | null;
  operator?: { lat: number; lon: number; type?: string; alt_hae_m?: number };
  operator_id?: string;
  status?: string;
  source_at: string;
};

export type BrokerCase = {
  id: string;
  topic: string;
  payload: string;
  expect: {
    messages?: ExpectedMessage[];
    reject?: 'malformed' | 'length' | 'unknown_type' | 'implausible';
    heartbeat?: string;
    place?: { lat: number; lon: number; alt_msl_m: number };
    sbs?: { icao24: string; lat: number; lon: number };
    gone?: string;
  };
};

export function brokerCases(): BrokerCase[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as BrokerCase);
}
