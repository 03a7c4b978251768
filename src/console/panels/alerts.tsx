import { useEffect, useRef } from 'preact/hooks';
import type { Alert } from '../../model/alert.ts';
import { clock, store } from '../console.ts';
import { useHeld, useKeptRows } from '../parts/held_rows.ts';
import { UnseenBar, useUnseen } from '../parts/unseen.tsx';
import { floodOf } from '../state/alert_folds.ts';
import { isAnswered } from '../state/alert_vehicle.ts';
import { takeFirstAlert } from '../state/first_alert.ts';
import { mostRows } from '../state/lists.ts';
import { rankAlerts } from '../state/rank.ts';
import { words } from '../words/en.ts';
import { Fold, Severities, useFolds } from './alert_fold.tsx';
import { isLoudKey, rankOfKey, urgentKey } from './alert_row.tsx';

/** Time for which an alert must be answered before it gives up the first place, ms: the order must not swing. */
const ANSWERED_MS = 5_000;

/** Returns a function that tells whether an alert has been answered for `ANSWERED_MS` without a break. */
function useLong(): (alert: Alert, isAnswered: boolean) => boolean {
  const since = useRef(new Map<string, number>());
  return ({ id }, isAnswered) => {
    const nowMs = performance.now();
    if (!isAnswered) since.current.delete(id);
    else if (!since.current.has(id)) since.current.set(id, nowMs);
    return nowMs - (since.current.get(id) ?? nowMs) >= ANSWERED_MS;
  };
}

/** The alerts, except settled ones (`rankAlerts`). The console drops none: alerts without room are counted. */
export function AlertsPanel() {
  const { alerts: all, tracks, threats, fleet } = store;
  const isAnsweredLong = useLong();
  const ranked = rankAlerts(
    all.list(),
    (id) => tracks.get(id),
    (id) => threats.get(id),
    (alert) => isAnsweredLong(alert, isAnswered(alert, tracks.get(alert.track_ids[0] ?? null), fleet.list())),
  );
  const { isHeld, list } = useHeld<HTMLOListElement>();
  // A row that ends keeps its place while the order is held: no other button may come under the finger.
  const kept = useKeptRows(ranked, ({ id }) => id, isHeld);
  const alerts = kept.map(({ row }) => row);
  const gone = new Set(kept.filter(({ isOver }) => isOver).map(({ row }) => row.id));
  const waiting = ranked.filter(({ acknowledged }) => acknowledged === null);
  const over = waiting.filter(({ state }) => state === 'cleared').length;
  const folds = useFolds(alerts, isHeld);
  const shown = folds.slice(0, mostRows.value);
  // A folded alert is not in view, so no key acknowledges it.
  const first = shown.map((fold) => fold.first).find(({ id, acknowledged }) => acknowledged === null && !gone.has(id));
  useEffect(() => {
    takeFirstAlert(first ?? null, first ? `${first.id} ${first.severity}` : '', performance.now());
  });
  useEffect(() => () => takeFirstAlert(null, '', 0), []);
  const left = folds.slice(mostRows.value).flatMap(({ first, others }) => [first, ...others]);
  const flood = floodOf(store.alerts.list(), (at) => clock.ageS(at));
  const panel = useRef<HTMLElement>(null);
  const { unseen, go } = useUnseen(panel, list, () => true, rankOfKey);
  return (
    <section class="panel alerts" ref={panel} aria-label={words.alerts}>
      <h2>
        {words.alerts}{' '}
        <span class="count">{words.alertCounts(waiting.length - over, ranked.length - waiting.length, over)}</span>{' '}
        <span class="order" title={words.alertOrderHint}>
          {isHeld ? words.orderHeld : words.alertOrder}
        </span>
      </h2>
      {flood === 0 ? null : <p class="flood">{words.alertFlood(flood)}</p>}
      {alerts.length === 0 ? (
        <p class="empty">{store.situation.value === null ? words.waiting : words.noAlerts}</p>
      ) : null}
      <ol class="rows" ref={list}>
        {shown.map((fold, place) => (
          <Fold key={fold.first.id} of={fold} place={place} isHeld={isHeld} gone={gone} />
        ))}
        {left.length > 0 ? (
          <li class="more" data-urgent={left.map(urgentKey).join(' ')} data-beyond>
            {words.more(left.length)} <Severities of={left} />
          </li>
        ) : null}
      </ol>
      <UnseenBar unseen={unseen} go={go} say={words.unseenAlerts} isUrgent={unseen.keys.some(isLoudKey)} />
    </section>
  );
}
