import type { LogEvent } from '../../model/event.ts';
import { clock, store } from '../console.ts';
import { isLogOpen, mostRows, toggleLog } from '../state/lists.ts';
import { selectTrack } from '../state/select.ts';
import { severityMark, words } from '../words/en.ts';
import { clockText } from '../words/units.ts';

const SPAN_S = 1_800;
/** Limit of the drawn ticks, newest first; the label counts all. */
const MOST_TICKS = 200;

type Tick = { id: string; at: string; kind: 'alert' | 'log'; severity: string; text: string; trackId: string | null };

/** Alerts and log rows as ticks of one strip. A click opens the row and its track. */
function ticksOf(): Tick[] {
  const alerts = store.alerts.list().map(
    ({ id, raised_at: at, severity, text, track_ids }): Tick => ({
      ...{ id, at, kind: 'alert', severity, text, trackId: track_ids[0] ?? null },
    }),
  );
  const rows = store.log.value.map(
    ({ id, at, severity, text, subject }): Tick => ({
      ...{ id, at, kind: 'log', severity, text, trackId: subject?.type === 'track' ? subject.id : null },
    }),
  );
  return [...alerts, ...rows].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** The last 30 minutes as a strip, and the log that opens from it. */
export function Timeline() {
  const isOpen = isLogOpen.value;
  void clock.second.value;
  const now = clock.nowMs();
  const ticks = now === null ? [] : ticksOf().filter(({ at }) => now - Date.parse(at) < SPAN_S * 1_000);
  return (
    <section class="bottom" aria-label={words.timeline}>
      <div class="strip">
        <button type="button" aria-expanded={isOpen} onClick={toggleLog}>
          {words.log}
        </button>
        <svg
          class="ticks"
          viewBox={`0 0 ${SPAN_S} 20`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.lastHalfHour(ticks.length)}
        >
          {ticks.slice(-MOST_TICKS).map(({ id, at, severity, kind }) => {
            const x = SPAN_S - ((now ?? 0) - Date.parse(at)) / 1_000;
            return (
              <rect
                key={id}
                class={severity}
                x={x}
                y={kind === 'alert' ? 2 : 10}
                width={5}
                height={kind === 'alert' ? 16 : 8}
              />
            );
          })}
        </svg>
        <span class="quiet">{words.span}</span>
      </div>
      {isOpen ? <Log rows={store.log.value} /> : null}
    </section>
  );
}

function Log({ rows }: { rows: readonly LogEvent[] }) {
  return (
    <ol class="log rows">
      {rows
        .slice(-mostRows.value)
        .reverse()
        .map(({ id, at, severity, text, actor, subject }) => (
          <li key={id} class={`row ${severity}`}>
            <span class="mark" aria-hidden="true">
              {severity === 'debug' ? '' : severityMark[severity]}
            </span>{' '}
            <time>{clockText(at)}</time> <bdi>{text}</bdi>{' '}
            <span class="quiet">
              <bdi>{actor.type === 'system' ? '' : actor.name}</bdi>
            </span>
            {subject?.type === 'track' && store.tracks.byId.has(subject.id) ? (
              <button type="button" onClick={() => selectTrack(subject.id)}>
                {words.show}
              </button>
            ) : null}
          </li>
        ))}
    </ol>
  );
}
