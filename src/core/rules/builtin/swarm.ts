import type { TrackFacts } from '../facts.ts';
import type { Builtin } from '../look.ts';
import { chordPlace } from '../near.ts';
import { isSureFriend } from '../standing.ts';
import { how, labels, whereTo } from '../words.ts';

const CLOSING_MPS = 1;

/** Whether so many are within so far of one of them: by chords, which over a few kilometres are the way along the ground. */
function isDense(members: readonly TrackFacts[], n: number, withinM: number): boolean {
  const places = members.map(chordPlace);
  for (const [x, y, z] of places) {
    let count = 0;
    for (const other of places) {
      const [dx, dy, dz] = [other[0] - x, other[1] - y, other[2] - z];
      if (dx * dx + dy * dy + dz * dz <= withinM * withinM && ++count >= n) return true;
    }
  }
  return false;
}

/** At least half of them fly to, or are in, what is protected. */
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
      const nearest = first
        ? tracks.reduce(
            (a, b) => ((b.nearest?.distanceM ?? Infinity) < (a.nearest?.distanceM ?? Infinity) ? b : a),
            first,
          )
        : null;
      return `${tracks.length} aircraft fly together (${labels(tracks)})${nearest ? whereTo(nearest) : ''}${first ? how(first) : ''}.`;
    },
    over: (label) => `${label}: no longer together, or no longer coming.`,
  };
};
