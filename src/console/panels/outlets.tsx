import type { Outlet } from '../../model/outlet.ts';
import { clock } from '../console.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { durationText } from '../words/units.ts';
import { rejectsText } from './rejects.ts';

/** Order of the states, the worst first. */
export const outletOrder: Record<Outlet['state'], number> = {
  failed: 0,
  refused: 1,
  backoff: 2,
  opening: 3,
  open: 4,
  disabled: 5,
};

/** Outlets of the live world. Most boxes have none, so the section is shown only with one. */
export function Outlets({ outlets }: { outlets: readonly Outlet[] }) {
  if (outlets.length === 0) return null;
  return (
    <>
      <h3>{words.outlets}</h3>
      <ul class="rows">
        {outlets.map((outlet) => (
          <OutletRow key={outlet.id} outlet={outlet} />
        ))}
      </ul>
    </>
  );
}

function OutletRow({ outlet }: { outlet: Outlet }) {
  const { name, state, kind, transport, tx_msgs, tracks, dropped, last_error, next_retry_at } = outlet;
  const lost = rejectsText(dropped);
  const now = clock.nowMs();
  const retryS = next_retry_at === null || now === null ? null : Math.max(0, (Date.parse(next_retry_at) - now) / 1_000);
  return (
    <li class={`row link ${state}`}>
      <span class="first">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="where">
          {kind} · {transport}
        </span>
        <span class="level">{terms.linkState(state)}</span>
      </span>
      <span class="second">
        {words.sentCount(tx_msgs, tracks)}
        {lost === '' ? '' : ` · ${words.dropped(lost)}`}
        {retryS === null ? '' : ` · ${words.retryIn(durationText(retryS))}`}
      </span>
      {last_error === null ? null : <span class="second">{last_error}</span>}
    </li>
  );
}
