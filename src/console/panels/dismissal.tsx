import type { DismissalEnd as Ended } from '../../model/threat.ts';
import { words } from '../words/en.ts';

/** Why a dismissal ended by itself, as a line of its threat or its alert; nothing where none did. */
export function DismissalEnd({ ended }: { ended: Ended | null | undefined }) {
  if (!ended) return null;
  return (
    <span class="flag" title={words.dismissalEndedBy(ended)}>
      {words.dismissalEnded(ended)}
    </span>
  );
}
