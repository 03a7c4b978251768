import type { Builtin } from '../evaluation.ts';
import type { TrackFacts } from '../facts.ts';
import { isPast, labels, lastSeen, who } from '../words.ts';

const DOUBTS = 3;

/** Lists the first few reasons against a claim. */
function why({ doubts }: TrackFacts): string {
  const texts = doubts.slice(0, DOUBTS).map(({ text }) => text.replace(/\.$/, ''));
  return texts.length === 0 ? '' : `: ${texts.join('; ')}`;
}

function transmitters(tracks: readonly TrackFacts[]): string {
  const radios = new Set<string>();
  for (const { radios: published } of tracks) {
    if (!published || published.length === 0) return '';
    for (const radio of published) radios.add(radio);
  }
  if (radios.size >= tracks.length) return '';
  return ` from ${radios.size === 1 ? 'one transmitter' : `${radios.size} transmitters`}`;
}

/**
 * States how many tracks report positions in protected zones, and in which. A reader must know this, because one of
 * these tracks may be real.
 */
function places(tracks: readonly TrackFacts[]): string {
  const zones = new Set<string>();
  let inside = 0;
  for (const { zones: near } of tracks) {
    const entered = near.filter((zone) => zone.inside && zone.kind === 'protected');
    if (entered.length > 0) inside++;
    for (const { name } of entered) zones.add(name);
  }
  return inside === 0 ? '' : ` ${inside} report positions in ${[...zones].join(', ')}.`;
}

/**
 * Rule for tracks with suspect claims, and for the members of a flood. Excludes tracks that copy the identity of an
 * asset, because `friendCloned` reports them.
 */
export const suspectRemoteId: Builtin = () => ({
  gathers: true,
  ends: () => 'recovered',
  find: ({ tracks, flood }, hits) => {
    for (const track of flood) hits.track(track, null);
    for (const track of tracks) if (track.verdict === 'suspect' && track.clonedOf === null) hits.track(track, null);
  },
  say: ({ tracks, isFlood }) => {
    const [first] = tracks;
    if (isFlood && tracks.length > 1)
      return `A flood of ${tracks.length} aircraft is received${transmitters(tracks)} and seen by no sensor (${labels(tracks)}): most likely spoofed.${places(tracks)} Find the transmitter, and watch what sensors detect.`;
    if (!first) return 'The claims of aircraft are suspect.';
    if (tracks.length > 1)
      return `The claims of ${tracks.length} aircraft (${labels(tracks)}) are suspect. Do not rely on their positions.`;
    return `The claims of ${who(first)} ${isPast(tracks) ? 'were' : 'are'} suspect${why(first)}${lastSeen(tracks)}. Do not rely on its position.`;
  },
  over: (label) => `${label}: its claims are no longer suspect.`,
});

export const friendCloned: Builtin = () => ({
  ends: () => 'recovered',
  find: ({ present }, hits) => {
    for (const track of present) if (track.clonedOf !== null && !track.dismissed) hits.track(track, null);
  },
  say: ({ tracks }) => {
    const [first] = tracks;
    const name = first?.clonedOf?.name ?? 'an aircraft of ours';
    if (tracks.length > 1)
      return `${tracks.length} aircraft that are not ours transmit serials of our assets (${labels(tracks)}): treat them as unknown.`;
    return `The serial of ${name} ${isPast(tracks) ? 'was' : 'is'} transmitted by another aircraft, ${first?.label ?? 'a track'}${lastSeen(tracks)}: treat that aircraft as unknown, and check where ${name} is.`;
  },
  over: (label) => `${label}: no longer transmits a serial of our assets.`,
});
