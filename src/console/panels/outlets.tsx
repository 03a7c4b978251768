import type { Outlet } from '../../model/outlet.ts';
import { words } from '../words/en.ts';
import { ConnectionRow } from './connection_row.tsx';
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

/** Outlets of the live world. Most sites have none, so the section is shown only if there is one. */
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
  const { kind, tx_msgs, tracks, dropped } = outlet;
  const lost = rejectsText(dropped);
  const counts = words.sentCount(tx_msgs, tracks) + (lost === '' ? '' : ` · ${words.dropped(lost)}`);
  return <ConnectionRow connection={outlet} kind={kind} counts={counts} />;
}
