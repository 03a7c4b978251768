import { ecefOf } from '../../../geo/sphere.ts';
import type { Builtin } from '../evaluation.ts';
import type { TrackFacts } from '../facts.ts';
import { isSureFriend } from '../standing.ts';
import { how, labels, verb, whereTo } from '../words.ts';

const CLOSING_MPS = 1;

/**
 * Whether some member has at least `n` members within `withinM`, itself included. Distances are straight lines, which
 * over a few kilometres equal distances along the ground.
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
      const [first] = tracks;
      const awayM = ({ nearest }: TrackFacts): number => nearest?.distanceM ?? Number.POSITIVE_INFINITY;
      const nearest = tracks.reduce((a, b) => (a && !(awayM(b) < awayM(a)) ? a : b), first);
      return `${tracks.length} aircraft ${verb(tracks, 'flies', 'fly', 'flew')} together (${labels(tracks)})${whereTo(nearest)}${first ? how(first) : ''}.`;
    },
    over: (label) => `${label}: no longer fly together, or no longer approach.`,
  };
};
