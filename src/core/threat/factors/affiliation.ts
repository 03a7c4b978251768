import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

const {
  hostile: HOSTILE,
  neutral: NEUTRAL,
  remote_id_friend: REMOTE_ID_FRIEND,
  suspect_identity: SUSPECT_IDENTITY,
  friend: FRIEND,
} = FACTOR;

/** A friend by more than its own word: its own link bears it out, or a person says so. */
function isProvenFriend({ affiliation, affiliationBasis }: Situation): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

export function tellAffiliation({ values, strengths }: Tally, situation: Situation): void {
  const { affiliation, verdict } = situation;
  const claimed = affiliation === 'friend' && !isProvenFriend(situation) && verdict !== 'suspect';
  values[HOSTILE] = values[NEUTRAL] = values[REMOTE_ID_FRIEND] = 1;
  strengths[HOSTILE] = affiliation === 'hostile' ? 1 : 0;
  strengths[NEUTRAL] = affiliation === 'neutral' ? 1 : 0;
  strengths[REMOTE_ID_FRIEND] = claimed ? 1 : 0;
}

/** Comes after all reasons: of a proven friend nothing is left but what speaks against its being itself. */
export function takeOffFriend(tally: Tally, situation: Situation): void {
  if (!isProvenFriend(situation)) return;
  const rest = tally.sum - (tally.contributions[SUSPECT_IDENTITY] ?? 0);
  if (rest > 0) tally.takeOff(FRIEND, 1, -rest, 1);
}

export const affiliationWords: Wordings = {
  hostile: { unit: null, say: () => 'A person holds it for hostile.' },
  neutral: { unit: null, say: () => 'A person holds it for neutral.' },
  remote_id_friend: {
    unit: null,
    say: () => 'It says to be one of ours, and nothing contradicts it; ask its pilot to be sure.',
  },
  friend: {
    unit: null,
    say: ({ situation: { affiliationBasis } }) =>
      affiliationBasis === 'telemetry' ? 'It is ours: its own link says so.' : 'It is ours: a person says so.',
  },
};
