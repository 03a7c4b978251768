import type { Sensor } from '../../model/sensor.ts';
import type { LinkPlaces } from './link_places.ts';
import { type KnownReceiver, noSettings, type ReceiverSettings, type SensorIdentity } from './sensor_row.ts';

/** What is measured of a sensor. */
export type Live = {
  bornMs: number;
  lifeMs: number | null;
  observedMs: number | null;
  ratePerS: number;
  ratedMs: number;
  latencies: number[];
  clockOffsetMs: number | null;
  rejects: Record<string, number>;
  bias: Sensor['bias'];
};

/** A sensor at hand: its row, what is measured of it, and its place among the sensors of its link. */
export type SensorEntry = {
  row: SensorIdentity;
  readonly live: Live;
  /** Null for sensors that are not of a link of this world. */
  places: LinkPlaces | null;
  /** What it is called on its link; empty where it has no name there. */
  receiver: string;
  settings: ReceiverSettings;
  /** World ms of its first message, and the host that it came from; null where none came yet. */
  firstMs: number;
  host: string | null;
  /** Its source is believed: it cannot be displaced by one that is not. */
  isProven: boolean;
  /** A link's own row: messages came from a receiver without a name, so that the row is that receiver. */
  isReceived: boolean;
};

export function newEntry(row: SensorIdentity, nowMs: number): SensorEntry {
  return {
    ...{ row, live: newLive(nowMs), places: null, receiver: '', settings: noSettings },
    ...{ firstMs: nowMs, host: null, isProven: false, isReceived: false },
  };
}

/** A receiver of a link as the database keeps it. */
export function knownReceiver({ row, receiver, settings }: SensorEntry): KnownReceiver {
  const { id, linkId, modality, version, createdAt, updatedAt } = row;
  return { ...settings, id, linkId: linkId ?? '', receiver, modality, version, createdAt, updatedAt };
}

function newLive(nowMs: number): Live {
  return {
    bornMs: nowMs,
    lifeMs: null,
    observedMs: null,
    ratePerS: 0,
    ratedMs: 0,
    latencies: [],
    clockOffsetMs: null,
    rejects: {},
    bias: { range_m: 0, azimuth_deg: 0 },
  };
}
