import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

/** A friend by more than its own word: its own link bears it out, or a person says so. */
function isProvenFriend({ affiliation, affiliationBasis }: Situation): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

export function addAffiliation(tally: Tally, situation: Situation, { weights }: DecisionPolicy): void {
  const { affiliation, verdict } = situation;
  const claimed = affiliation === 'friend' && !isProvenFriend(situation) && verdict !== 'suspect';
  tally.add(FACTOR.hostile, 1, weights.hostile, affiliation === 'hostile' ? 1 : 0);
  tally.add(FACTOR.neutral, 1, weights.neutral, affiliation === 'neutral' ? 1 : 0);
  tally.add(FACTOR.remote_id_friend, 1, weights.remote_id_friend, claimed ? 1 : 0);
}

/** Comes after all reasons: of a proven friend nothing is left but what speaks against its being itself. */
export function takeOffFriend(tally: Tally, situation: Situation): void {
  if (!isProvenFriend(situation)) return;
  const rest = tally.sum - (tally.contributions[FACTOR.suspect_identity] ?? 0);
  if (rest > 0) tally.add(FACTOR.friend, 1, -rest, 1);
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
