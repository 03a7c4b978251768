import { useRef, useState } from 'preact/hooks';
import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import { forbidden, store } from '../console.ts';
import { useNewlyChanged } from '../parts/moved.ts';
import { type AlertFold, countSeverities, foldAlerts } from '../state/alert_folds.ts';
import { announce, attempt } from '../state/attempt.ts';
import { words } from '../words/en.ts';
import { severityMark } from '../words/marks.ts';
import { AlertRow, urgentKey } from './alert_row.tsx';

/** Folds the alerts of each swarm; while the order is held, as they were folded before. */
export function useFolds(alerts: readonly Alert[], isHeld: boolean): AlertFold[] {
  const before = useRef<AlertFold[]>([]);
  const groupOf = ({ subject, track_ids: [trackId] }: Alert): string | null =>
    subject.type === 'group' ? subject.id : (store.tracks.get(trackId ?? null)?.group_id ?? null);
  const folds = foldAlerts(alerts, groupOf, isHeld ? before.current : null);
  before.current = folds;
  return folds;
}

const isOver = ({ state }: Alert): boolean => state === 'cleared';

/** Acknowledges all alerts of a fold. A refusal ends it: the rows that are left say what was not done. */
async function acknowledgeAll(alerts: readonly Alert[]): Promise<void> {
  for (const { id } of alerts) if ((await attempt(() => calls.acknowledgeAlert(id))) === null) return;
  announce(words.acknowledgedAlerts(alerts.length));
}

type FoldProps = {
  of: AlertFold;
  place: number;
  isHeld: boolean;
  /** Ids of alerts that are settled, and only keep their places. */
  gone: ReadonlySet<string>;
};

/**
 * An alert, and behind a button the other alerts of its swarm, or the others that are over. Once a person has opened
 * them, they can be acknowledged together: nobody acknowledges what is not in view.
 */
export function Fold({ of: { first, others }, place, isHeld, gone }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const all = [first, ...others].filter(({ id, acknowledged }) => acknowledged === null && !gone.has(id));
  const isNew = useNewlyChanged(all.map(({ id, severity }) => `${id} ${severity}`).join());
  const why = forbidden('see');
  const press = (): void => {
    if (why === null && !isNew) void acknowledgeAll(all);
    else announce(why ?? words.swarmChanged);
  };
  return (
    <>
      <AlertRow alert={first} place={place} isHeld={isHeld} isGone={gone.has(first.id)} />
      {others.length === 0 ? null : (
        <li class="fold" data-urgent={isOpen ? '' : all.map(urgentKey).join(' ')}>
          <button type="button" class="swarm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>{' '}
            {words[isOver(first) ? 'alsoOver' : 'swarm'](others.length)} <Severities of={others} />
          </button>
          {!isOpen || all.length < 2 ? null : (
            <button type="button" aria-disabled={why !== null} title={why ?? ''} onClick={press}>
              {words.acknowledgeAll(all.length)}
            </button>
          )}
        </li>
      )}
      {isOpen
        ? others.map((alert) => (
            <AlertRow key={alert.id} alert={alert} place={place} isHeld={isHeld} isGone={gone.has(alert.id)} />
          ))
        : null}
    </>
  );
}

/** Number of alerts of each severity, so that a folded swarm, or the end of a long list, does not look harmless. */
export function Severities({ of: alerts }: { of: readonly Alert[] }) {
  return countSeverities(alerts).map(({ severity, count }) => (
    <span key={severity} class={`mark ${severity}`}>
      {severityMark[severity]} {count} {severity}{' '}
    </span>
  ));
}
