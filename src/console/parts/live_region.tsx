import { spoken } from '../state/speech.ts';
import { words } from '../words/en.ts';

/** Sentences that a screen reader says by itself. It does not read out lists and badges, which change all the time. */
export function LiveRegion() {
  const now = spoken.value;
  const text = now === null ? '' : now.more === 0 ? now.sentence : words.andMore(now.sentence, now.more);
  return (
    <div class="spoken">
      <p aria-live="assertive">{now?.urgency === 'assertive' ? text : ''}</p>
      <p aria-live="polite">{now?.urgency === 'polite' ? text : ''}</p>
    </div>
  );
}
