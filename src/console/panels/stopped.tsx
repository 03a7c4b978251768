import { clock, store } from '../console.ts';
import { words } from '../words/en.ts';

/** Sign that everything was stopped, and that no movement was approved or ordered since. */
export function Stopped() {
  const at = store.stoppedAt.value;
  if (at === null) return null;
  void clock.second.value;
  const nowMs = clock.nowMs() ?? Date.parse(at);
  return (
    <p class="stopped">
      <strong class="badge stopped">{words.stoppedSince(at, new Date(nowMs).toISOString())}</strong>{' '}
      <span class="stopped-hint">{words.stoppedHint}</span>
    </p>
  );
}
