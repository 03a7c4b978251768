import { useEffect, useRef, useState } from 'preact/hooks';
import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { useHeldRows } from '../parts/held_rows.ts';
import { Steady } from '../parts/steady.tsx';
import { vehicleOf } from '../state/alert_vehicle.ts';
import { announce, attempt } from '../state/attempt.ts';
import { mostRows } from '../state/lists.ts';
import { rankAlerts } from '../state/rank.ts';
import { tab, vehicleShown } from '../state/select.ts';
import { words } from '../words/en.ts';
import { severityMark } from '../words/marks.ts';
import { DismissalEnd } from './dismissal.tsx';
import { showTrack } from './show_track.ts';

/** The alerts, except those both cleared and acknowledged. The console drops none: alerts without room are counted. */
export function AlertsPanel() {
  const ranked = rankAlerts(store.alerts.list(), (id) => store.tracks.get(id));
  const { rows: alerts, isHeld, list } = useHeldRows<Alert, HTMLOListElement>(ranked, ({ id }) => id);
  const unseen = alerts.filter(({ acknowledged }) => acknowledged === null).length;
  const panel = useRef<HTMLElement>(null);
  const { unshown, onScroll } = useCriticalUnshown(alerts, isHeld);
  return (
    <section
      class="panel alerts"
      ref={panel}
      aria-label={words.alerts}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollTop)}
    >
      <h2>
        {words.alerts} <span class="count">{unseen}</span>{' '}
        <span class="order">{isHeld ? words.orderHeld : words.alertOrder}</span>
      </h2>
      <p class="unshown" aria-live="assertive">
        {unshown === 0 ? null : (
          <button type="button" class="critical" onClick={() => panel.current?.scrollTo(0, 0)}>
            {words.criticalUnshown(unshown)}
          </button>
        )}
      </p>
      {alerts.length === 0 ? (
        <p class="empty">{store.situation.value === null ? words.waiting : words.noAlerts}</p>
      ) : null}
      <ol class="rows" ref={list}>
        {alerts.slice(0, mostRows.value).map((alert, place) => (
          <Row key={alert.id} alert={alert} place={place} isHeld={isHeld} />
        ))}
      </ol>
      {alerts.length > mostRows.value ? <p class="more">{words.more(alerts.length - mostRows.value)}</p> : null}
    </section>
  );
}

/** Scroll position from which the first row is not wholly in view, px. */
const AWAY_PX = 8;

/**
 * Number of critical alerts that came, or became critical, and are not at the top of the list: it was scrolled down, or
 * its order was held.
 */
function useCriticalUnshown(alerts: readonly Alert[], isHeld: boolean) {
  const [isAway, setAway] = useState(false);
  const seen = useRef<ReadonlySet<string>>(new Set());
  const critical = alerts
    .filter(({ severity, state, acknowledged }) => severity === 'critical' && state === 'active' && !acknowledged)
    .map(({ id }) => id);
  if (!isAway && !isHeld) seen.current = new Set(critical);
  const unshown = critical.filter((id) => !seen.current.has(id)).length;
  return { unshown, onScroll: (topPx: number) => setAway(topPx > AWAY_PX) };
}

/** Acknowledges an alert, and announces it, because the row moves down the list. */
async function acknowledge({ id }: Alert): Promise<void> {
  if ((await attempt(() => calls.acknowledgeAlert(id))) !== null) announce(words.acknowledgedAlert);
}

/**
 * Time after an alert became worse during which it cannot be acknowledged, ms: a person may be pressing the button
 * already.
 */
const WORSE_MS = 2_000;

/** Whether this alert became worse in the last 2 s, counted from the time at which the page first showed the change. */
function useNewlyWorse({ escalated_at: at }: Alert): boolean {
  const shown = useRef(at);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (shown.current === at) return;
    shown.current = at;
    setNew(true);
    const timer = setTimeout(() => setNew(false), WORSE_MS);
    return () => clearTimeout(timer);
  }, [at]);
  return isNew || shown.current !== at;
}

/** Time after a row moved during which it cannot be acknowledged, ms: a person may mean the row that was there. */
const MOVED_MS = 700;

/** Tells whether the row has just moved to another place of the list. Each call of the result looks at the clock. */
function useMoved(place: number): () => boolean {
  const last = useRef({ place, atMs: Number.NEGATIVE_INFINITY });
  if (last.current.place !== place) last.current = { place, atMs: performance.now() };
  return () => performance.now() - last.current.atMs < MOVED_MS;
}

function Row({ alert, place, isHeld }: { alert: Alert; place: number; isHeld: boolean }) {
  const isSeen = alert.acknowledged !== null;
  const isNewlyWorse = useNewlyWorse(alert);
  const hasMoved = useMoved(place);
  const why = forbidden('see') ?? (isNewlyWorse ? words.alertWorse(alert.severity) : null);
  const press = (): void => {
    if (why === null && !hasMoved()) void acknowledge(alert);
    else if (why === null) announce(words.alertMoved);
    else if (isNewlyWorse) announce(why);
  };
  return (
    <li class={`row alert ${alert.severity}`} data-seen={isSeen} data-over={alert.state === 'cleared'}>
      <Steady isHeld={isHeld}>
        {' '}
        <span class="head">
          <span class="first">
            <span class={`mark ${alert.severity}`} aria-hidden="true">
              {severityMark[alert.severity]}
            </span>
            <span class="level">{alert.severity}</span>
          </span>
          <span class="acts">
            <Places alert={alert} />
            {isSeen ? null : (
              <button type="button" aria-disabled={why !== null} title={why ?? ''} onClick={press}>
                {words.acknowledge}
              </button>
            )}
          </span>
        </span>
        <span class="second">
          {alert.cleared_at === null ? '' : `${words.lastReport} `}
          {alert.text} <Times alert={alert} />
        </span>
        {isSeen ? null : <DismissalEnd ended={store.threats.get(alert.track_ids[0] ?? null)?.dismissal_ended} />}
      </Steady>{' '}
    </li>
  );
}

/** Times of an alert. The text of an active alert is as of its last update. */
function Times({ alert: { raised_at, updated_at, acknowledged, cleared_at } }: { alert: Alert }) {
  const parts = [
    words.raised(clock.ageS(raised_at)),
    cleared_at === null ? words.asOf(updated_at) : words.over(cleared_at),
    acknowledged === null ? '' : words.acknowledgedBy(words.person(acknowledged.by)),
  ];
  return <span class="quiet">{parts.filter((part) => part !== '').join(' · ')}</span>;
}

/** Buttons that lead to the track, the vehicle or the sensor of an alert. */
function Places({ alert }: { alert: Alert }) {
  const [trackId] = alert.track_ids;
  const vehicleKey = vehicleOf(alert, store.fleet.list());
  return (
    <>
      {trackId === undefined ? null : (
        <button type="button" onClick={() => showTrack(trackId)}>
          {words.show}
        </button>
      )}
      {vehicleKey === null ? null : (
        <button
          type="button"
          onClick={() => {
            vehicleShown.value = vehicleKey;
            tab.value = 'fleet';
          }}
        >
          {words.fleet}
        </button>
      )}
      {alert.subject.type === 'sensor' ? (
        <button
          type="button"
          onClick={() => {
            tab.value = 'health';
          }}
        >
          {words.showHealth}
        </button>
      ) : null}
    </>
  );
}
