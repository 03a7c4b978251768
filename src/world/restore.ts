import type { Clock } from '../host/clock.ts';
import { parseTime } from '../model/time.ts';
import type { Provenance, Track } from '../model/track.ts';
import type { RestoredTrack } from '../model/track_row.ts';

/** Age up to which the number of an old track is not used again, ms: people may still remember its label. */
const NUMBERS_BACK_MS = 7 * 86_400_000;

/** Returns the link id of a sensor; null if the sensor is unknown or has no link. */
export type LinkOf = (sensorId: string) => string | null;

/** Creates a `LinkOf` for these sensors. */
export function linksOf(sensors: readonly { id: string; linkId: string | null }[]): LinkOf {
  const links = new Map(sensors.map(({ id, linkId }) => [id, linkId]));
  return (sensorId) => links.get(sensorId) ?? null;
}

export function numberOfLabel(track: Track): number {
  return Number(track.number.slice(2));
}

/**
 * Converts a track's last document to the form that the core restores. Documents contain UTC, which jumps when the wall
 * clock is set; the core uses world time. A time in the future, written before the clock was set back, counts as now.
 * Otherwise the track would remain until that time.
 */
export function restoredTrack(
  track: Track,
  clock: Pick<Clock, 'nowMs' | 'utcMs'>,
  linkOf: LinkOf = () => null,
): RestoredTrack {
  const nowMs = clock.nowMs();
  const offsetMs = clock.utcMs(nowMs) - nowMs;
  const ms = (text: string): number => Math.min((parseTime(text) ?? 0) - offsetMs, nowMs);
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
    claims: track.claims.map(({ source, says, at }) => ({ source, says, atMs: ms(at) })),
    lineage: track.lineage.map((one) => ({
      sensorId: one.sensor_id,
      nodeId: one.node_id,
      objectId: one.object_id,
      identity: one.identity,
      derivedFrom: one.derived_from.map(({ node_id, object_id }) => ({ nodeId: node_id, objectId: object_id })),
      atMs: ms(one.at),
    })),
    flags: track.flags,
    firstSeenMs: ms(track.first_seen_at),
    lastSeenMs: ms(track.last_seen_at),
    ...externalLink(track, linkOf),
  };
}

/**
 * Returns the link on which the external identities of a track hold: that of the first contributor that has a link.
 * External identities are numbers that another system gave, unique on its link alone.
 */
function externalLink({ identities, contributors }: Track, linkOf: LinkOf): Pick<RestoredTrack, 'link'> {
  if (!identities.some(({ type }) => type === 'external')) return {};
  for (const { sensor_id } of contributors) {
    const link = linkOf(sensor_id);
    if (link !== null) return { link };
  }
  return {};
}

/**
 * Selects the tracks of an earlier run that are still shown, and sets their state to `lost`. Closed tracks and tracks
 * unseen for more than `closeMs` are left out. The documents get the provenance of the world that shows them: a replay
 * contains documents that were recorded live.
 */
export function leftTracks(
  tracks: readonly Track[],
  clock: Pick<Clock, 'nowMs' | 'utcMs'>,
  closeMs: number,
  provenance: Provenance,
): readonly Track[] {
  const isLeft = (track: Track): boolean =>
    track.state !== 'closed' && clock.nowMs() - restoredTrack(track, clock).lastSeenMs <= closeMs;
  return tracks.filter(isLeft).map((track) => ({ ...track, state: 'lost', provenance }));
}

/**
 * A start reads the tracks that were seen since the returned time, ms. Older tracks are not needed, because their
 * numbers may be used again.
 */
export function lastTracksSinceMs(nowMs: number): number {
  return nowMs - NUMBERS_BACK_MS;
}
