import { parseTime } from '../model/time.ts';
import type { Track } from '../model/track.ts';
import type { RestoredTrack } from '../model/track_row.ts';

/** Highest numbers are looked for so far back, so that a label is not given twice in living memory. */
const NUMBERS_BACK_MS = 7 * 86_400_000;

export function numberOfLabel(track: Track): number {
  return Number(track.number.slice(2));
}

/** A track's last document as the core takes it back; `worldMs` turns the UTC of its times into the world's. */
export function restoredTrack(track: Track, worldMs: (utcMs: number) => number): RestoredTrack {
  const ms = (text: string): number => worldMs(parseTime(text) ?? 0);
  return {
    id: track.id,
    number: numberOfLabel(track),
    identities: track.identities.map(({ type, value, transport, first_seen_at, last_seen_at }) => ({
      type,
      value,
      transport,
      firstMs: ms(first_seen_at),
      lastMs: ms(last_seen_at),
    })),
    classification: track.classification,
    cooperative: track.cooperative,
    operator: track.operator,
    takeoff: track.takeoff,
    status: track.status,
    contributors: track.contributors.map(({ sensor_id, last_at, hits, rssi_dbm }) => ({
      sensorId: sensor_id,
      lastMs: ms(last_at),
      hits,
      rssiDbm: rssi_dbm,
    })),
    flags: track.flags,
    firstSeenMs: ms(track.first_seen_at),
    lastSeenMs: ms(track.last_seen_at),
  };
}

/** How far back `lastTracks` is to be asked for. */
export function lastTracksSinceMs(nowMs: number): number {
  return nowMs - NUMBERS_BACK_MS;
}
