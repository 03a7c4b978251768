import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

const { unidentified: UNIDENTIFIED, no_remote_id: NO_REMOTE_ID, suspect_identity: SUSPECT_IDENTITY } = FACTOR;

const UNCHECKED = 0.5;

/** How little is known of who it is. What it says counts by how far it is borne out, whoever it says to be. */
function unknownShare({ named, verdict }: Situation): number {
  if (!named || verdict === 'suspect') return 1;
  return verdict === 'consistent' ? 0 : UNCHECKED;
}

export function tellIdentity({ values, strengths }: Tally, situation: Situation): void {
  const { named, nameRequired, verdict, integrityScore } = situation;
  const silent = !named && nameRequired ? 1 : 0;
  const unknown = unknownShare(situation);
  values[UNIDENTIFIED] = strengths[UNIDENTIFIED] = unknown;
  values[NO_REMOTE_ID] = strengths[NO_REMOTE_ID] = silent;
  const suspect = verdict === 'suspect' ? 1 - Math.min(1, Math.max(0, integrityScore)) : 0;
  values[SUSPECT_IDENTITY] = strengths[SUSPECT_IDENTITY] = suspect;
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
