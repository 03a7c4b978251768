import type { Alert } from '../../model/alert.ts';
import { clock, forbidden, store } from '../console.ts';
import { useMoved, useNewlyChanged } from '../parts/moved.ts';
import { Steady } from '../parts/steady.tsx';
import { acknowledge } from '../state/acknowledge.ts';
import { isReceding, vehicleOf } from '../state/alert_vehicle.ts';
import { type ApprovedWork, approvedWork } from '../state/approved_work.ts';
import { announce } from '../state/attempt.ts';
import { continuation } from '../state/continuations.ts';
import { movements } from '../state/movements.ts';
import { trackNumber } from '../state/names.ts';
import { threatAbove } from '../state/rank.ts';
import { tab, vehicleShown } from '../state/select.ts';
import { words } from '../words/en.ts';
import { severityMark } from '../words/marks.ts';
import { DismissalEnd } from './dismissal.tsx';
import { showTrack } from './show_track.ts';

type RowProps = {
  alert: Alert;
  place: number;
  isHeld: boolean;
  /** Whether the alert is settled, and its row only keeps its place. */
  isGone: boolean;
};

/** One alert, with its text, its times and what a person can do. */
export function AlertRow({ alert, place, isHeld, isGone }: RowProps) {
  const isSeen = alert.acknowledged !== null || isGone;
  const isNewlyWorse = useNewlyChanged(alert.escalated_at);
  const hasMoved = useMoved(place);
  const why = forbidden('see') ?? (isNewlyWorse ? words.alertWorse(alert.severity) : null);
  const press = (): void => {
    if (why === null && !hasMoved()) void acknowledge(alert, words.acknowledgedAlert);
    else if (why === null) announce(words.alertMoved);
    else if (isNewlyWorse) announce(why);
  };
  return (
    <li
      class={`row alert ${alert.severity}`}
      data-alert={alert.id}
      data-urgent={isSeen ? '' : urgentKey(alert)}
      data-seen={isSeen}
      data-over={alert.state === 'cleared' || isGone}
    >
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
          {alert.subject.type === 'group' ? <strong>{words.aSwarm}: </strong> : null}
          {alert.state === 'cleared' || isGone ? null : <AsApproved alert={alert} />}
          {alert.text} {isGone ? <span class="quiet">{words.settled}</span> : <Times alert={alert} />}
        </span>
        {alert.state === 'cleared' || isGone ? null : <Above alert={alert} />}
        {alert.state === 'cleared' || isGone ? null : <VehicleNow alert={alert} />}
        {isGone ? null : <PerhapsNow alert={alert} />}
        {isSeen ? null : <DismissalEnd ended={store.threats.get(alert.track_ids[0] ?? null)?.dismissal_ended} />}
      </Steady>{' '}
    </li>
  );
}

/**
 * Key of an alert that waits for a person (`useUnseen`); empty for others. It changes when the alert becomes worse. The
 * alert is counted whenever its row is out of view, until it is acknowledged.
 */
export const urgentKey = ({ id, severity, state, escalated_at }: Alert): string =>
  state === 'active' ? `${id}:${escalated_at ?? ''}:${severity}` : '';

/** Severity of the alert of a key, as a number that is greater for a worse one. */
export const rankOfKey = (key: string): number =>
  ['info', 'notice', 'warning', 'critical'].findIndex((severity) => key.endsWith(`:${severity}`));

/** Whether a key is that of an alert that sounds: a critical alert or a warning. */
export const isLoudKey = (key: string): boolean => rankOfKey(key) >= 2;

/** Level of the most dangerous track of an alert, where it is above the severity of the alert. */
function Above({ alert }: { alert: Alert }) {
  const threat = threatAbove(alert, (id) => store.threats.get(id));
  if (threat === undefined) return null;
  return <span class="flag">{words.threatAbove(trackNumber(threat.track_id), threat)}</span>;
}

/** Present movement of an alert's own vehicle: the text of the alert does not say whether an order was carried out. */
function VehicleNow({ alert }: { alert: Alert }) {
  const key = vehicleOf(alert, store.fleet.list());
  const row = key === null ? undefined : store.fleet.get(key);
  if (row === undefined) return null;
  return (
    <span class="second">
      <bdi>{row.name}</bdi> {words.vehicleNow(row)}{' '}
      {isReceding(store.tracks.get(alert.track_ids[0] ?? null), row) ? words.movesAway : null}
    </span>
  );
}

/** Whether a work brings the vehicle close to the track: a camera, a hold and a return do not. */
const comesClose = ({ verb, phase }: ApprovedWork): boolean =>
  movements.has(verb) && (phase === 'going' || phase === 'on_station' || phase === 'giving_way');

/** Says that the own vehicle of an alert is close to the track because a person approved it. It comes before the text. */
function AsApproved({ alert }: { alert: Alert }) {
  const key = vehicleOf(alert, store.fleet.list());
  const assetId = store.fleet.get(key)?.asset_id ?? null;
  const work = approvedWork(store.engagements.list(), (id) => store.tasks.get(id)).find(
    (one) => one.assetId === assetId && alert.track_ids.includes(one.trackId) && comesClose(one),
  );
  return work === undefined ? null : <strong>{words.asApproved(work.standoffM)} </strong>;
}

/** Track that perhaps continues the lost track of an alert. */
function PerhapsNow({ alert: { track_ids: ids } }: { alert: Alert }) {
  const [lost] = ids.length === 1 ? ids.flatMap((id) => store.tracks.get(id) ?? []) : [];
  const now = lost === undefined ? null : continuation(lost);
  return now === null ? null : <span class="second">{words.perhapsNow(now.number)}</span>;
}

/** Times of an alert. The text of an active alert is as of its last update. */
function Times({ alert: { raised_at, updated_at, escalated_at, acknowledged, cleared_at } }: { alert: Alert }) {
  const parts = [
    words.raised(clock.ageS(raised_at)),
    escalated_at === null || cleared_at !== null ? '' : words.becameWorse(clock.ageS(escalated_at)),
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
