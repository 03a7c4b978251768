import { ecefOf } from '../../../geo/sphere.ts';
import type { Builtin } from '../evaluation.ts';
import type { TrackFacts } from '../facts.ts';
import { isSureFriend } from '../standing.ts';
import { how, isPast, labels, lastSeen, verb, whereTo, zoneName } from '../words.ts';

const CLOSING_MPS = 1;

/**
 * Whether some member has at least `n` members within `withinM`, itself included. Heights do not count. Distances are
 * chords between ground positions, which over a few kilometres equal distances along the ground.
 */
function isDense(members: readonly TrackFacts[], n: number, withinM: number): boolean {
  const places = members.map(ecefOf);
  for (const one of places) {
    let count = 0;
    for (const other of places) {
      const [dx, dy, dz] = [other.xM - one.xM, other.yM - one.yM, other.zM - one.zM];
      if (dx * dx + dy * dy + dz * dz <= withinM * withinM && ++count >= n) return true;
    }
  }
  return false;
}

/** Whether at least half of the members are in a protected area, or approach one that is at most `withinM` away. */
function isComing(members: readonly TrackFacts[], withinM: number): boolean {
  let coming = 0;
  for (const { nearest } of members)
    if (nearest && (nearest.distanceM <= 0 || (nearest.distanceM <= withinM && nearest.closingMps >= CLOSING_MPS)))
      coming++;
  return coming * 2 >= members.length;
}

/** Distance of a track from its nearest protected area, m; infinite without one. */
const awayM = ({ nearest }: TrackFacts): number => nearest?.distanceM ?? Number.POSITIVE_INFINITY;

/** States how many members are in the protected zone with the most of them; null if none is in one. */
function mostInProtected(tracks: readonly TrackFacts[]): string | null {
  const counts = new Map<string, number>();
  for (const { zones } of tracks)
    for (const zone of zones)
      if (zone.inside && zone.kind === 'protected') {
        const name = zoneName(zone);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most === undefined ? null : `${most[1]} of them in ${most[0]}`;
}

/** States how far the nearest member is from a protected area, and its height and speed. */
function nearestOf([nearest]: readonly TrackFacts[]): string {
  if (nearest === undefined) return '';
  const where = whereTo(nearest);
  return `${where === '' ? '' : `, the nearest${where.replace(/^,/, '')}`}${how(nearest)}`;
}

export const swarm: Builtin = (_rule, parameter) => {
  const [n, withinM, distanceM] = [parameter('n'), parameter('within_m'), parameter('distance_m')];
  return {
    find: ({ groups }, hits) => {
      for (const all of groups.values()) {
        if (all.length < n) continue;
        const members = all.filter((track) => !isSureFriend(track));
        if (members.length < n || !isComing(members, distanceM) || !isDense(members, n, withinM)) continue;
        for (const track of members) hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const nearestFirst = tracks.toSorted((a, b) => awayM(a) - awayM(b));
      const together = `${tracks.length} aircraft ${verb(tracks, 'flies', 'fly', 'flew')} together (${labels(nearestFirst)})`;
      if (isPast(tracks)) return `${together}${lastSeen(tracks)}.`;
      const inside = mostInProtected(tracks);
      return inside === null ? `${together}${nearestOf(nearestFirst)}.` : `${together}, ${inside}. Look at them now.`;
    },
    over: (label) => `${label}: no longer fly together, or no longer approach.`,
  };
};
