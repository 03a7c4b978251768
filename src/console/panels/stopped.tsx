import { clock, store } from '../console.ts';
import { words } from '../words/en.ts';
import { momentText } from '../words/units.ts';

/** Badge that everything was stopped, and that no movement was approved or ordered since. */
export function Stopped() {
  const at = store.stoppedAt.value;
  if (at === null) return null;
  void clock.second.value;
  return (
    <strong class="badge stopped" title={words.stoppedHint}>
      {words.stoppedSign} <time>{momentText(at, new Date(clock.nowMs() ?? Date.parse(at)).toISOString())}</time>
    </strong>
  );
}
