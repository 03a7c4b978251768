import type { Sensor } from '../../model/sensor.ts';
import type { LinkPlaces } from './link_places.ts';
import {
  type KnownReceiver,
  noSettings,
  type ReceiverSettings,
  type SelfReport,
  type SensorIdentity,
} from './sensor_row.ts';
import { type Life, lateAtSetting } from './sensor_state.ts';

/** Measured values of a sensor. */
export type Live = Life & {
  observedMs: number | null;
  ratePerS: number;
  ratedMs: number;
  latencies: number[];
  clockOffsetMs: number | null;
  rejects: Record<string, number>;
  bias: Sensor['bias'];
};

/** A sensor with its row, its measured values, and its place among the sensors of its link. */
export type SensorEntry = {
  row: SensorIdentity;
  readonly live: Live;
  /** Null for sensors that are not of a link of this world. */
  places: LinkPlaces | null;
  /** Name on its link; empty where it has none. */
  receiver: string;
  settings: ReceiverSettings;
  readonly self: SelfReport;
  /** World ms of its first message, and the host that it came from; null where none came yet. */
  firstMs: number;
  host: string | null;
  /** Other hosts that use its name since its deadline passed: their first message and their last, world ms. Bounded. */
  readonly rivals: Map<string, { firstMs: number; lastMs: number }>;
  /** Whether its source is proven: an unproven source cannot displace it. */
  isProven: boolean;
  /**
   * Whether the sensor is expected permanently, over a restart too: it was received for long, or its owner vouches for
   * it.
   */
  isLasting: boolean;
  /** A link's own row: messages came from a receiver without a name, so that the row is that receiver. */
  isReceived: boolean;
};

export function newEntry(row: SensorIdentity, nowMs: number): SensorEntry {
  const live: Live = {
    ...{
      bornMs: nowMs,
      lifeMs: null,
      wasLateMs: null,
      offlineMs: null,
      observedMs: null,
      ratePerS: 0,
      ratedMs: 0,
      latencies: [],
    },
    ...{ clockOffsetMs: null, rejects: {}, bias: { range_m: 0, azimuth_deg: 0 } },
  };
  return {
    ...{ row, live, places: null, receiver: '', settings: noSettings },
    self: { placement: null, turn: null, trouble: null, title: null, heartbeatS: null, dependentNodes: [] },
    ...{ firstMs: nowMs, host: null, rivals: new Map(), isProven: false, isLasting: false, isReceived: false },
  };
}

/** Puts another row in force. A sensor that is late stays so until it is received, whatever its new deadline. */
export function changeRow(entry: SensorEntry, row: SensorIdentity, nowMs: number): void {
  entry.live.wasLateMs = lateAtSetting(entry.row, entry.live, entry.places?.condition ?? null, nowMs);
  entry.row = row;
}

/** A receiver of a link as the database keeps it. */
export function knownReceiver({ row, receiver, settings }: SensorEntry): KnownReceiver {
  const { id, linkId, modality, version, createdAt, updatedAt } = row;
  return { ...settings, id, linkId: linkId ?? '', receiver, modality, version, createdAt, updatedAt };
}
