import { store } from '../console.ts';
import { mostRows } from '../state/lists.ts';
import { selectTrack } from '../state/select.ts';
import { chosenMinute, type Tick, ticksIn, ticksOf } from '../state/timeline.ts';
import { severityMark, words } from '../words/en.ts';
import { clockText } from '../words/units.ts';

/** Rows of the log, the newest first; of a minute that was chosen on the timeline, its alerts too. */
export function Log() {
  const minute = chosenMinute.value;
  const rows = minute === null ? ticksOf([], store.log.value) : inMinute(minute);
  return (
    <div class="log">
      {minute === null ? null : (
        <p class="chosen" role="status">
          {words.inMinute(minute, rows.length)}{' '}
          <button
            type="button"
            onClick={() => {
              chosenMinute.value = null;
            }}
          >
            {words.wholeLog}
          </button>
        </p>
      )}
      {minute === null && rows.length === 0 ? <p class="empty">{words.emptyLog}</p> : null}
      <ol class="rows">
        {rows
          .slice(-mostRows.value)
          .reverse()
          .map((row) => (
            <Row key={row.id} row={row} />
          ))}
      </ol>
    </div>
  );
}

const inMinute = (minuteMs: number): Tick[] => ticksIn(ticksOf(store.alerts.list(), store.log.value), minuteMs);

function Row({ row: { at, kind, severity, text, by, trackId } }: { row: Tick }) {
  // Without a subscription: rows need no drawing with each batch of tracks.
  const track = store.tracks.byId.get(trackId ?? '');
  return (
    <li class={`row ${severity}`}>
      <span class="mark" aria-hidden="true">
        {severity === 'debug' ? '' : severityMark[severity]}
      </span>{' '}
      <time>{clockText(at)}</time> {kind === 'alert' ? <strong>{words.alertRaised}</strong> : null} <bdi>{text}</bdi>{' '}
      <span class="quiet">
        <bdi>{by}</bdi>
      </span>
      {track ? (
        <button type="button" onClick={() => selectTrack(track.id)}>
          {words.showTrack(track.number)}
        </button>
      ) : null}
    </li>
  );
}
