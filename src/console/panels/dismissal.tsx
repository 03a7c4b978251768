import type { DismissalEnd as Ended } from '../../model/threat.ts';
import { words } from '../words/en.ts';

/** Returns the line that says why a dismissal of a threat or alert ended by itself; null if `ended` is absent. */
export function DismissalEnd({ ended }: { ended: Ended | null | undefined }) {
  if (!ended) return null;
  return (
    <span class="flag" title={words.dismissalEndedBy(ended)}>
      {words.dismissalEnded(ended)}
    </span>
  );
}
