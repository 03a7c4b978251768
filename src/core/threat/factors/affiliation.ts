import type { Situation } from '../situation.ts';
import type { SumFactor, TrackFactor } from './factor.ts';
import { suspectIdentity } from './identity.ts';

/** Whether an authenticated link or a person confirms the friend, not only the aircraft's claim. */
function isProvenFriend({ affiliation, affiliationBasis }: Situation): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

function isClaimedFriend(situation: Situation): boolean {
  return situation.affiliation === 'friend' && !isProvenFriend(situation) && situation.verdict !== 'suspect';
}

const hostile: TrackFactor = {
  id: 'hostile',
  unit: null,
  value: () => 1,
  strength: ({ affiliation }) => (affiliation === 'hostile' ? 1 : 0),
  text: () => 'A person marked it as hostile.',
};

const neutral: TrackFactor = {
  id: 'neutral',
  unit: null,
  value: () => 1,
  strength: ({ affiliation }) => (affiliation === 'neutral' ? 1 : 0),
  text: () => 'A person marked it as neutral.',
};

const remoteIdFriend: TrackFactor = {
  id: 'remote_id_friend',
  unit: null,
  value: () => 1,
  strength: (situation) => (isClaimedFriend(situation) ? 1 : 0),
  text: () => 'It claims to be one of our assets, and nothing contradicts it: ask its pilot to be sure.',
};

/**
 * Lowers the score of a proven friend. Only the points of a suspect identity remain, because they contradict the
 * identification as a friend.
 */
export const friend: SumFactor = {
  id: 'friend',
  unit: null,
  value: () => 1,
  strength: (situation) => (isProvenFriend(situation) ? 1 : 0),
  weight(sum, situation, { weights, curves }) {
    const rest = sum - weights.suspect_identity * suspectIdentity.strength(situation, curves);
    return rest > 0 ? -rest : 0;
  },
  text: ({ situation: { affiliationBasis } }) =>
    affiliationBasis === 'telemetry'
      ? 'It is a friend: its own telemetry confirms it.'
      : 'It is a friend: a person confirmed it.',
};

export const affiliationFactors = [hostile, neutral, remoteIdFriend] as const;
