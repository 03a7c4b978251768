import { clock, store } from '../console.ts';
import { words } from '../words/en.ts';

/** Time after the stop during which the sign explains itself, ms. Later it covers less of the map. */
const EXPLAINED_MS = 30_000;

/** Sign that everything was stopped, and that no movement was approved or ordered since. */
export function Stopped() {
  const at = store.stoppedAt.value;
  if (at === null) return null;
  void clock.second.value;
  const nowMs = clock.nowMs() ?? Date.parse(at);
  return (
    <p class="stopped">
      <strong class="badge stopped" title={words.stoppedHint}>
        {words.stoppedSince(at, new Date(nowMs).toISOString())}
      </strong>{' '}
      {nowMs - Date.parse(at) < EXPLAINED_MS ? <span class="stopped-hint">{words.stoppedHint}</span> : null}
    </p>
  );
}
