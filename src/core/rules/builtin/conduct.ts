import type { Builtin } from '../evaluation.ts';
import { LOITER_WITHIN_M, type TrackFacts } from '../facts.ts';
import { isBird, isNear, isSureFriend } from '../standing.ts';
import { how, isPast, lastSeen, seconds, verb, whereFrom, whereTo, whoAll } from '../words.ts';

function most(tracks: readonly TrackFacts[], of: (track: TrackFacts) => number): number {
  return Math.max(...tracks.map(of));
}

export const loitering: Builtin = (_rule, parameter) => {
  const [loiterS, distanceM] = [parameter('loiter_s'), parameter('distance_m')];
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.loiterS >= loiterS) || !isNear(track, distanceM)) continue;
        if (track.crewed || track.affiliation === 'neutral' || isSureFriend(track) || isBird(track)) continue;
        hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      // For several aircraft the shortest time is true of each.
      const longS = Math.min(...tracks.map(({ loiterS }) => loiterS));
      const each = tracks.length === 1 ? 'for' : 'each for at least';
      const stays = `${verb(tracks, 'stays', 'stay', 'stayed')} within ${LOITER_WITHIN_M} m of one place`;
      // The sentence has no closing speed, because a circling aircraft comes closer during half of each circle.
      return `${whoAll(tracks)} ${stays}, ${each} ${seconds(Math.floor(longS))}${isPast(tracks) ? '' : ' now'}${whereFrom(tracks[0])}${lastSeen(tracks)}.`;
    },
    over: (label) => `${label}: moved on.`,
  };
};

export const rapidDescent: Builtin = (_rule, parameter) => {
  const [descentMps, distanceM] = [parameter('descent_mps'), parameter('distance_m')];
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.climbMps <= -descentMps) || !isNear(track, distanceM)) continue;
        if (!track.crewed && !isSureFriend(track) && !isBird(track)) hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const fastest = Math.round(most(tracks, (track) => -track.climbMps));
      return `${whoAll(tracks)} ${verb(tracks, 'descends', 'descend', 'descended')} at ${fastest} m/s${whereTo(first)}${first ? how(first) : ''}.`;
    },
    ends: () => 'recovered',
    over: (label) => `${label}: no longer descends fast.`,
  };
};

/**
 * Rule for named tracks that were here on earlier days. Excludes crewed aircraft, because airliners come every day.
 * Excludes friends and neutral tracks, because they have been identified.
 */
export const repeatVisitor: Builtin = (_rule, parameter) => {
  const visits = parameter('visits');
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.visits >= visits) || !track.named || track.crewed) continue;
        if (track.affiliation === 'unknown' || track.affiliation === 'hostile') hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const days = most(tracks, (track) => track.visits);
      return `${whoAll(tracks)} ${tracks.length === 1 ? 'was' : 'were'} here on ${days} earlier ${days === 1 ? 'day' : 'days'}${whereTo(tracks[0])}${lastSeen(tracks)}.`;
    },
    over: (label) => `${label}: has left.`,
  };
};
