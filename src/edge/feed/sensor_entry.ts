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

/** Sensor: its row, its measured values, and the sensors of the link to which it belongs. */
export type SensorEntry = {
  row: SensorIdentity;
  readonly live: Live;
  /** Sensors of the link to which this one belongs; null for a sensor that belongs to no link of this world. */
  places: LinkPlaces | null;
  /** Name of the receiver on its link; empty if it has none. */
  receiver: string;
  settings: ReceiverSettings;
  readonly self: SelfReport;
  /**
   * World time since which messages arrive without a gap over the deadline, ms; not updated once the sensor is
   * lasting. `host` is the host of these messages; null before the first message.
   */
  firstMs: number;
  host: string | null;
  /**
   * Other hosts that use the receiver's name since its deadline passed, with the world times of their first and last
   * message, ms. Their number is limited.
   */
  readonly rivals: Map<string, { firstMs: number; lastMs: number }>;
  /** True if the source is proven (`LinkPlaces`): a flood of invented sources cannot displace it. */
  isProven: boolean;
  /**
   * True for a lasting sensor, which silence does not remove and which is stored for the next start. It was received
   * for long enough, its sender is trusted or signs, or an operator set it up. A vehicle without settings is neither
   * kept nor stored, because the fleet reports its loss.
   */
  isLasting: boolean;
  /**
   * True for a link's own row once a message came from the row's own receiver. On most links this is the receiver
   * without a name. The row then stands for this receiver.
   */
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

/** Replaces the row of a sensor. A late sensor stays late (`isKnownLate`), whatever its new deadline. */
export function changeRow(entry: SensorEntry, row: SensorIdentity, nowMs: number): void {
  entry.live.wasLateMs = lateAtSetting(entry.row, entry.live, entry.places?.condition ?? null, nowMs);
  entry.row = row;
}

/** Returns a receiver of a link in the form that the database stores. */
export function knownReceiver({ row, receiver, settings }: SensorEntry): KnownReceiver {
  const { id, linkId, modality, version, createdAt, updatedAt } = row;
  return { ...settings, id, linkId: linkId ?? '', receiver, modality, version, createdAt, updatedAt };
}
