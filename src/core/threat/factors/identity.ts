import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

const UNCHECKED = 0.5;

/** How little is known of who it is. What it says counts by how far it is borne out, whoever it says to be. */
function unknownShare({ named, verdict }: Situation): number {
  if (!named || verdict === 'suspect') return 1;
  return verdict === 'consistent' ? 0 : UNCHECKED;
}

export function addIdentity(tally: Tally, situation: Situation, { weights }: DecisionPolicy): void {
  const { named, nameRequired, verdict, integrityScore } = situation;
  const silent = !named && nameRequired ? 1 : 0;
  const unknown = unknownShare(situation);
  tally.add(FACTOR.unidentified, unknown, weights.unidentified, unknown);
  tally.add(FACTOR.no_remote_id, silent, weights.no_remote_id, silent);
  const suspect = verdict === 'suspect' ? 1 - Math.min(1, Math.max(0, integrityScore)) : 0;
  tally.add(FACTOR.suspect_identity, suspect, weights.suspect_identity, suspect);
}

export const identityWords: Wordings = {
  unidentified: {
    unit: null,
    say: ({ situation: { named, verdict } }) => {
      if (!named) return 'It gives no name: only seeing it tells what it is.';
      return verdict === 'suspect'
        ? 'The name it gives is not to be believed.'
        : 'Nothing but its own word says who it is.';
    },
  },
  no_remote_id: { unit: null, say: () => 'It sends no Remote ID, which is required here.' },
  suspect_identity: {
    unit: null,
    say: ({ situation: { doubts } }) =>
      `What it says of itself is not borne out${doubts.length > 0 ? `: ${doubts.join('; ')}` : ''}.`,
  },
};
