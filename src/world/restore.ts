import type { Clock } from '../host/clock.ts';
import { parseTime } from '../model/time.ts';
import type { Provenance, Track } from '../model/track.ts';
import type { RestoredTrack } from '../model/track_row.ts';

/** Age up to which numbers are not reused, so that a label is not given twice in living memory. */
const NUMBERS_BACK_MS = 7 * 86_400_000;

/** Link of a sensor; null where it has none or is not known. */
export type LinkOf = (sensorId: string) => string | null;

/** Looks up the links of sensors; null for one without a link. */
export function linksOf(sensors: readonly { id: string; linkId: string | null }[]): LinkOf {
  const links = new Map(sensors.map(({ id, linkId }) => [id, linkId]));
  return (sensorId) => links.get(sensorId) ?? null;
}

export function numberOfLabel(track: Track): number {
  return Number(track.number.slice(2));
}

/**
 * A track's last document in the form that the core restores. Documents hold UTC, which jumps when the wall clock is
 * set; the core uses world time. A time in the future, from before the clock was set back, counts as now: otherwise the
 * track would stay until that time.
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

/** Identities that another system gave are recognised only on their link, which a sensor of the track tells. */
function externalLink({ identities, contributors }: Track, linkOf: LinkOf): Pick<RestoredTrack, 'link'> {
  if (!identities.some(({ type }) => type === 'external')) return {};
  for (const { sensor_id } of contributors) {
    const link = linkOf(sensor_id);
    if (link !== null) return { link };
  }
  return {};
}

/**
 * Last documents of an earlier run that are still shown, as lost; closed tracks and tracks unseen for long are left
 * out. The documents get the provenance of the world that shows them: a replay holds documents that were recorded live.
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

/** Start of the period for which `lastTracks` is called. */
export function lastTracksSinceMs(nowMs: number): number {
  return nowMs - NUMBERS_BACK_MS;
}
