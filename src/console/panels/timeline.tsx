import { clock, store } from '../console.ts';
import { earlierRows } from '../state/earlier_rows.ts';
import { isLogOpen, toggleLog } from '../state/lists.ts';
import {
  chosenMinute,
  drawnTicks,
  marksOf,
  minuteOf,
  nextBusyMinute,
  SPAN_MIN,
  type Tick,
  ticksIn,
  ticksOf,
  withEarlier,
} from '../state/timeline.ts';
import { words } from '../words/en.ts';
import { Log } from './log.tsx';

const SPAN_S = SPAN_MIN * 60;

/** The last 30 minutes as a strip, and the log that opens from it. */
export function Timeline() {
  const isOpen = isLogOpen.value;
  return (
    <section class="bottom" aria-label={words.timeline}>
      <div class="strip">
        <button type="button" aria-expanded={isOpen} onClick={toggleLog}>
          {words.log}
        </button>
        <Strip />
        <span class="quiet">{words.span}</span>
      </div>
      {isOpen ? <Log /> : null}
    </section>
  );
}

/** Shows the events of a minute in the log. */
function choose(minuteMs: number | null): void {
  if (minuteMs === null) return;
  chosenMinute.value = minuteMs;
  isLogOpen.value = true;
}

/**
 * Ticks of the strip at a time. Later rows are left out: a world that was started anew may have rows of its previous
 * run.
 */
function shownTicks(nowMs: number | null): Tick[] {
  if (nowMs === null) return [];
  const ageS = ({ at }: Tick): number => (nowMs - Date.parse(at)) / 1_000;
  const { epoch, rows } = earlierRows.value;
  const log = epoch === store.situation.value?.epoch ? withEarlier(rows, store.log.value) : store.log.value;
  const all = ticksOf(store.alerts.list(), log, store.situation.value?.mode);
  return all.filter((tick) => ageS(tick) < SPAN_S && ageS(tick) > -1);
}

/** Alerts and log rows as ticks. A click chooses a minute; the arrow keys go to the next minute with events. */
export function Strip() {
  void clock.second.value;
  const now = clock.nowMs();
  const chosen = chosenMinute.value;
  const ageS = ({ at }: Tick): number => ((now ?? 0) - Date.parse(at)) / 1_000;
  const ticks = shownTicks(now);
  const clicked = (event: MouseEvent & { currentTarget: Element }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (now !== null) choose(minuteOf(now - (1 - (event.clientX - left) / width) * SPAN_S * 1_000));
  };
  const pressed = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    // Computes the ticks anew: the strip is drawn once a second, and a key may come between two drawings.
    const at = clock.nowMs();
    if (by !== 0 && at !== null) choose(nextBusyMinute(shownTicks(at), chosen, by, at));
    else if (event.key === 'Escape') chosenMinute.value = null;
    else return;
    event.preventDefault();
  };
  const minutesAgo = chosen === null || now === null ? 0 : (minuteOf(now) - chosen) / 60_000;
  return (
    <div
      class="ticks"
      role="slider"
      tabIndex={0}
      aria-label={words.chooseMinute}
      title={words.chooseMinute}
      aria-valuemin={1 - SPAN_MIN}
      aria-valuemax={0}
      aria-valuenow={-minutesAgo}
      aria-valuetext={
        chosen === null ? words.lastHalfHour(ticks.length) : words.inMinute(chosen, ticksIn(ticks, chosen).length)
      }
      onClick={clicked}
      onKeyDown={pressed}
    >
      <svg viewBox={`0 0 ${SPAN_S} 20`} preserveAspectRatio="none" aria-hidden="true">
        {chosen === null || now === null ? null : (
          <rect class="chosen" x={SPAN_S - (now - chosen) / 1_000} y={0} width={60} height={20} />
        )}
        {drawnTicks(ticks).map((tick) => (
          <rect
            key={tick.id}
            class={tick.severity}
            x={SPAN_S - Math.max(5, ageS(tick))}
            y={tick.kind === 'alert' ? 2 : 10}
            width={5}
            height={tick.kind === 'alert' ? 16 : 8}
          />
        ))}
      </svg>
      {now === null
        ? null
        : marksOf(now).map(({ atMs, share }) => (
            <span key={atMs} class="time" aria-hidden="true" style={{ left: `${share * 100}%` }}>
              {words.strip(atMs)}
            </span>
          ))}
    </div>
  );
}
