import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { attempt } from '../state/attempt.ts';
import { mostRows } from '../state/lists.ts';
import { rankAlerts } from '../state/rank.ts';
import { selectTrack } from '../state/select.ts';
import { severityMark, words } from '../words/en.ts';

/** The alerts that are not settled. The console drops none: it counts those that it does not show. */
export function AlertsPanel() {
  const alerts = rankAlerts(store.alerts.list());
  const unseen = alerts.filter(({ acknowledged }) => acknowledged === null).length;
  return (
    <section class="panel alerts" aria-label={words.alerts}>
      <h2>
        {words.alerts} <span class="count">{unseen}</span>
      </h2>
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

function Row({ alert }: { alert: Alert }) {
  const isSeen = alert.acknowledged !== null;
  const [trackId] = alert.track_ids;
  const why = forbidden('see');
  return (
    <li class={`row alert ${alert.severity}`} data-seen={isSeen} data-over={alert.state === 'cleared'}>
      <span class="first">
        <span class="mark" aria-hidden="true">
          {severityMark[alert.severity]}
        </span>
        <span class="level">{alert.severity}</span>
        <span class="age">{words.age(clock.ageS(alert.raised_at))}</span>
        {alert.acknowledged === null ? null : <span class="quiet">{words.acknowledgedBy(alert.acknowledged.by)}</span>}
        {alert.cleared_at === null ? null : <span class="over">{words.over(alert.cleared_at)}</span>}
      </span>
      <span class="second">{alert.text}</span>
      <span class="acts">
        {trackId === undefined ? null : (
          <button type="button" onClick={() => selectTrack(trackId)}>
            {words.show}
          </button>
        )}
        {isSeen ? null : (
          <button
            type="button"
            aria-disabled={why !== null}
            title={why ?? ''}
            onClick={() => why === null && void attempt(() => calls.acknowledgeAlert(alert.id))}
          >
            {words.acknowledge}
          </button>
        )}
      </span>
    </li>
  );
}
