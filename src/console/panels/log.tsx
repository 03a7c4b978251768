import { useEffect, useRef, useState } from 'preact/hooks';
import { store } from '../console.ts';
import { mostRows } from '../state/lists.ts';
import { windowOf, withPage } from '../state/log_rows.ts';
import { forgetMinute, minuteLog, readMinute } from '../state/minute_log.ts';
import { readLog, readNewest, readOlder } from '../state/read_log.ts';
import { change, settings } from '../state/settings.ts';
import type { ShownRow } from '../state/store.ts';
import { chosenMinute, type Tick, ticksFrom, ticksIn, ticksOf } from '../state/timeline.ts';
import { words } from '../words/en.ts';
import { severityMark } from '../words/marks.ts';
import { clockText } from '../words/units.ts';
import { showTrack } from './show_track.ts';

/** Rows that were read from the daemon, and those that arrived since. */
function knownRows(): readonly ShownRow[] {
  const { epoch, rows } = readLog.value;
  const arrived = store.log.value;
  return epoch === store.situation.peek()?.epoch
    ? withPage(arrived, { rows: rows.toReversed(), cursor: null })
    : arrived;
}

/** Time between two readings of the newest rows while the log is open, ms. */
const READ_EVERY_MS = 3_000;
/** Number of rows from which a list is long enough to be shown without older ones. */
const FEW = 20;

/** Rows of a minute from the daemon, and all rows that arrived on this page. Null until the daemon has answered. */
function minuteRows(minuteMs: number): readonly ShownRow[] | null {
  const epoch = store.situation.peek()?.epoch ?? null;
  const read = minuteLog.value;
  if (read === null || read.minuteMs !== minuteMs || read.epoch !== epoch) return null;
  const known = new Set(read.rows.map(({ id }) => id));
  return [...read.rows, ...store.log.value.filter(({ id }) => !known.has(id))];
}

/** Keeps the newest rows read while the whole log is shown, and fills a short list with older rows. */
function useReadLog(isWanted: boolean, epoch: string | null, count: () => number): void {
  useEffect(() => {
    if (!isWanted) return;
    void readNewest(epoch);
    const timer = setInterval(() => void readNewest(epoch), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWanted, epoch]);
  const isRead = readLog.value.epoch === epoch;
  useEffect(() => {
    if (isWanted && isRead) void readOlder(epoch, () => count() >= FEW);
  }, [isWanted, epoch, isRead, settings.value.logLeast]);
}

/** Rows of the log, the newest first. For a minute that is chosen on the timeline, its alerts are listed too. */
export function Log() {
  const [lastId, setLast] = useState<string | null>(null);
  const mode = store.situation.value?.mode ?? 'live';
  const minute = chosenMinute.value;
  const epoch = store.situation.value?.epoch ?? null;
  useEffect(() => {
    if (minute === null) forgetMinute();
    else void readMinute(minute, epoch);
  }, [minute, epoch]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo(0, 0), [minute]);
  const ofMinute = minute === null ? null : minuteRows(minute);
  const isRead = minute === null || ofMinute !== null;
  const listed = (rows: readonly ShownRow[]): Tick[] =>
    ticksFrom(ticksOf(minute === null ? [] : store.alerts.list(), rows, mode), settings.peek().logLeast);
  const ticks = listed(ofMinute ?? knownRows());
  useReadLog(minute === null, epoch, () => listed(knownRows()).length);
  const rows = minute === null ? ticks : ticksIn(ticks, minute);
  const { shown, before, isNewest } = windowOf(rows, minute === null ? lastId : null, mostRows.value);
  const older = async (): Promise<void> => {
    const rowBefore = (): Tick | null => windowOf(listed(knownRows()), shown[0]?.id ?? null, 1).before;
    if (before === null) await readOlder(epoch, () => rowBefore() !== null);
    const found = before ?? rowBefore();
    if (found !== null) setLast(found.id);
  };
  return (
    <div class="log" ref={list}>
      <Least />
      {minute === null ? null : (
        <p class="chosen" role="status">
          {isRead ? words.inMinute(minute, rows.length) : words.minuteIsRead}{' '}
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
      {minute === null && !isNewest ? (
        <p class="log-end">
          <button type="button" onClick={() => setLast(null)}>
            {words.newestRows}
          </button>
        </p>
      ) : null}
      {minute === null && rows.length === 0 ? (
        <p class="empty">{readLog.value.isWhole ? words.emptyLog : words.noneRead}</p>
      ) : null}
      {minute !== null && isRead && rows.length === 0 && mode === 'sim' ? (
        <p class="empty">{words.earlierRun}</p>
      ) : null}
      <ol class="rows">
        {shown.toReversed().map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ol>
      {minute === null ? (
        <LogEnd firstAt={shown[0]?.at ?? null} isOldest={before === null} onOlder={() => void older()} />
      ) : null}
    </div>
  );
}

const leastNames = {
  info: words.allRows,
  notice: words.fromNotice,
  warning: words.fromWarning,
  persons: words.byPersons,
} as const;

/** Choice of the least severity. It can hide the many rows about tracks that begin and end, but no act of a person. */
function Least() {
  return (
    <label class="log-least">
      {words.logShows}{' '}
      <select
        value={settings.value.logLeast}
        onChange={({ currentTarget: { value } }) => {
          if (value in leastNames) change({ logLeast: value as keyof typeof leastNames });
        }}
      >
        {Object.entries(leastNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** End of the list: the time of the oldest row in view, and a button for older rows. */
function LogEnd({ firstAt, isOldest, onOlder }: { firstAt: string | null; isOldest: boolean; onOlder: () => void }) {
  const { epoch, isWhole, rows } = readLog.value;
  if (isOldest && isWhole && epoch === store.situation.value?.epoch)
    return rows[0] === undefined ? null : <p class="log-end">{words.logBegins(rows[0].at)}</p>;
  return (
    <p class="log-end">
      {firstAt === null ? null : words.viewBegins(firstAt)}{' '}
      <button type="button" onClick={onOlder}>
        {words.older}
      </button>
    </p>
  );
}

function Row({ row: { at, kind, severity, text, by, trackId, trackNumber, liveAt } }: { row: Tick }) {
  // Read without a subscription, so that rows are not drawn again with each batch of tracks.
  const number = store.tracks.byId.get(trackId ?? '')?.number ?? trackNumber;
  return (
    <li class={`row ${severity}`}>
      <span class={`mark ${severity}`} aria-hidden="true">
        {severity === 'debug' ? '' : severityMark[severity]}
      </span>{' '}
      <time>{clockText(at)}</time> {kind === 'alert' ? <strong>{words.alertRaised}</strong> : null}{' '}
      {liveAt === null ? null : <span class="quiet">{words.ofLiveWorld(liveAt)}</span>} <bdi>{words.spoken(text)}</bdi>{' '}
      <span class="quiet">
        {/* The text of most acts begins with the name. */}
        <bdi>{text.startsWith(`${by} `) ? '' : by}</bdi>
      </span>{' '}
      {trackId !== null && number !== null ? (
        <button type="button" onClick={() => showTrack(trackId)}>
          {words.showTrack(number)}
        </button>
      ) : null}
    </li>
  );
}
