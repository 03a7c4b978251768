import { useEffect, useRef, useState } from 'preact/hooks';
import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
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
  const alerts = rankAlerts(store.alerts.list(), (id) => store.tracks.get(id));
  const unseen = alerts.filter(({ acknowledged }) => acknowledged === null).length;
  const panel = useRef<HTMLElement>(null);
  const { above, onScroll } = useCriticalAbove(alerts);
  return (
    <section
      class="panel alerts"
      ref={panel}
      aria-label={words.alerts}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollTop)}
    >
      <h2>
        {words.alerts} <span class="count">{unseen}</span>
      </h2>
      <p class="above" aria-live="assertive">
        {above === 0 ? null : (
          <button type="button" class="critical" onClick={() => panel.current?.scrollTo(0, 0)}>
            {words.criticalAbove(above)}
          </button>
        )}
      </p>
      {alerts.length === 0 ? (
        <p class="empty">{store.situation.value === null ? words.waiting : words.noAlerts}</p>
      ) : null}
      <ol class="rows">
        {alerts.slice(0, mostRows.value).map((alert) => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ol>
      {alerts.length > mostRows.value ? <p class="more">{words.more(alerts.length - mostRows.value)}</p> : null}
    </section>
  );
}

/** Scroll position from which the first row is not wholly in view, px. */
const AWAY_PX = 8;

/** Number of critical alerts that came, or became critical, at the top of the list while it was scrolled down. */
function useCriticalAbove(alerts: readonly Alert[]): { above: number; onScroll: (topPx: number) => void } {
  const [isAway, setAway] = useState(false);
  const seen = useRef<ReadonlySet<string>>(new Set());
  const critical = alerts
    .filter(({ severity, state, acknowledged }) => severity === 'critical' && state === 'active' && !acknowledged)
    .map(({ id }) => id);
  if (!isAway) seen.current = new Set(critical);
  const above = critical.filter((id) => !seen.current.has(id)).length;
  return { above, onScroll: (topPx) => setAway(topPx > AWAY_PX) };
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

function Row({ alert }: { alert: Alert }) {
  const isSeen = alert.acknowledged !== null;
  const [trackId] = alert.track_ids;
  const isNewlyWorse = useNewlyWorse(alert);
  const why = forbidden('see') ?? (isNewlyWorse ? words.alertWorse(alert.severity) : null);
  const vehicleKey = vehicleOf(alert, store.fleet.list());
  return (
    <li class={`row alert ${alert.severity}`} data-seen={isSeen} data-over={alert.state === 'cleared'}>
      <span class="first">
        <span class={`mark ${alert.severity}`} aria-hidden="true">
          {severityMark[alert.severity]}
        </span>
        <span class="level">{alert.severity}</span>
        <span class="age">{words.age(clock.ageS(alert.raised_at))}</span>
        {alert.acknowledged === null ? null : (
          <span class="quiet">{words.acknowledgedBy(words.person(alert.acknowledged.by))}</span>
        )}
        {alert.cleared_at === null ? null : <span class="over">{words.over(alert.cleared_at)}</span>}
      </span>
      <span class="second">
        {alert.text} <span class="quiet">{words.asOf(alert.steps.at(-1)?.at ?? alert.raised_at)}</span>
      </span>
      {isSeen ? null : <DismissalEnd ended={store.threats.get(trackId ?? null)?.dismissal_ended} />}
      <span class="acts">
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
        {isSeen ? null : (
          <button
            type="button"
            aria-disabled={why !== null}
            title={why ?? ''}
            onClick={() => (why === null ? void acknowledge(alert) : isNewlyWorse && announce(why))}
          >
            {words.acknowledge}
          </button>
        )}
      </span>
    </li>
  );
}
