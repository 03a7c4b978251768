import { useRef, useState } from 'preact/hooks';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import { clock, store } from '../console.ts';
import { useHeldRows } from '../parts/held_rows.ts';
import { useSteadyGroups } from '../parts/steady_groups.ts';
import { UnseenBar, useUnseen } from '../parts/unseen.tsx';
import { continuation } from '../state/continuations.ts';
import { furtherReason } from '../state/factors.ts';
import { mostRows } from '../state/lists.ts';
import { placeName, trackNumber } from '../state/names.ts';
import { aboveScore, foldSwarms, levels, rankThreats, type ThreatRow, unscoredTracks } from '../state/rank.ts';
import { selection, selectTrack } from '../state/select.ts';
import { thresholds } from '../state/thresholds.ts';
import { words } from '../words/en.ts';
import { levelMark, severityMark, trendMark, trendWord } from '../words/marks.ts';
import { DismissalEnd } from './dismissal.tsx';

/** Threats of at least `low`, the most urgent first. */
export function ThreatsPanel() {
  const ranked = rankThreats(store.threats.list(), (id) => store.tracks.get(id));
  const { rows, isHeld, list } = useHeldRows<ThreatRow, HTMLOListElement>(ranked, ({ track }) => track.id);
  const heads = useRef<ReadonlyMap<string, string>>(new Map());
  const groups = useSteadyGroups(
    rows.map(({ track }) => track),
    isHeld,
  );
  const groupOf = ({ id }: Track): string | null => groups.get(id) ?? null;
  const swarms = foldSwarms(rows, isHeld ? heads.current : undefined, groupOf);
  const folds = swarms.filter(({ others }) => others.length > 0);
  heads.current = new Map(folds.map(({ first: { track } }) => [groupOf(track) ?? '', track.id]));
  const left = swarms.slice(mostRows.value);
  const folded = store.threats.list().length - rows.length;
  const unscored = unscoredTracks(
    store.alerts.list(),
    (id) => store.threats.get(id),
    (id) => store.tracks.get(id) !== undefined,
  );
  const panel = useRef<HTMLElement>(null);
  const { unseen, go } = useUnseen(panel, list);
  return (
    <section class="panel threats" ref={panel} aria-label={words.threats}>
      <h2>
        {words.threats} <span class="count">{rows.length}</span>{' '}
        <span class="order">{isHeld ? words.orderHeld : words.threatOrder}</span>
      </h2>
      {rows.length === 0 ? <p class="empty">{emptyWord()}</p> : null}
      <ol class="rows" ref={list}>
        {swarms.slice(0, mostRows.value).map(({ first, others }) => (
          <li
            key={others.length === 0 ? first.track.id : groupOf(first.track)}
            data-urgent={urgentKeys([first, ...others])}
          >
            <Row {...first} />
            {others.length === 0 ? null : <Others of={others} />}
          </li>
        ))}
        {left.length > 0 ? (
          <li
            class="more"
            data-urgent={urgentKeys(left.flatMap(({ first, others }) => [first, ...others]))}
            data-beyond
          >
            {words.more(left.length)}
          </li>
        ) : null}
      </ol>
      {unscored.severity === null ? null : (
        <p class={`more unscored ${unscored.severity}`}>
          <span class={`mark ${unscored.severity}`} aria-hidden="true">
            {severityMark[unscored.severity]}
          </span>{' '}
          {words.alertsWithoutLevel(unscored.ids.map(trackNumber), unscored.more, unscored.severity)}
        </p>
      )}
      {folded > 0 ? <p class="more">{words.belowLow(folded)}</p> : null}
      <UnseenBar unseen={unseen} go={go} say={words.unseenThreats} isUrgent />
    </section>
  );
}

/** Keys of the threats in a row that a person must see (`useUnseen`). A key changes when the level rises. */
const urgentKeys = (rows: readonly ThreatRow[]): string =>
  rows
    .filter(({ threat: { level, dismissed } }) => dismissed === null && (level === 'critical' || level === 'high'))
    .map(({ threat: { level }, track: { number } }) => `${number}:${level}`)
    .join(' ');

/** Text of an empty list. It differs between an empty sky and a site where no sensor works. */
function emptyWord(): string {
  if (store.situation.value === null) return words.waiting;
  const sensors = store.sensors.list();
  return sensors.some(({ state }) => state === 'operational' || state === 'degraded')
    ? words.noThreats
    : words.noSensors;
}

/** The other threats of a swarm. They are hidden until a person opens the list or selects one of the tracks. */
function Others({ of: rows }: { of: readonly ThreatRow[] }) {
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || rows.some(({ track }) => track.id === selection.value?.id);
  return (
    <>
      <button type="button" class="swarm" aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {words.swarm(rows.length)}{' '}
        {levelsOf(rows).map(({ level, count }) => (
          <span key={level} class={`mark ${level}`}>
            {levelMark[level]} {count} {words.level(level)}{' '}
          </span>
        ))}
      </button>
      {isOpen ? rows.map((row) => <Row key={row.track.id} {...row} />) : null}
    </>
  );
}

/** Number of threats of each level, the highest first. A folded swarm shows it, so that it does not look harmless. */
function levelsOf(rows: readonly ThreatRow[]) {
  return levels
    .map((level) => ({ level, count: rows.filter(({ threat }) => threat.level === level).length }))
    .filter(({ count }) => count > 0)
    .reverse();
}

/** Says why the level stands above the score. Without that, level and score seem to contradict each other. */
function LevelAbove({ threat }: { threat: Threat }) {
  const limits = thresholds.value;
  const why = aboveScore(threat, limits);
  if (why === null || limits === null || threat.level === 'none') return null;
  const { hysteresis, dwell_s } = limits;
  return (
    <span class="quiet" title={words.levelLags}>
      {' · '}
      {why === 'falls' ? words.levelFalls(dwell_s) : words.levelStays(threat.level, limits[threat.level] - hysteresis)}
    </span>
  );
}

/** Track that perhaps continues a lost one, so that a person does not look for two aircraft. */
function PerhapsNow({ track }: { track: Track }) {
  if (track.state !== 'lost') return null;
  const now = continuation(track);
  return now === null ? null : <span> · {words.perhapsNow(now.number)}</span>;
}

function Row({ threat, track }: ThreatRow) {
  const isSelected = selection.value?.id === track.id;
  const reason = furtherReason(threat.factors);
  return (
    <button
      type="button"
      class={`row threat ${threat.level}`}
      aria-pressed={isSelected}
      data-dismissed={threat.dismissed !== null}
      onClick={() => selectTrack(track.id)}
    >
      <span class="first">
        <span class={`mark ${threat.level}`} aria-hidden="true">
          {levelMark[threat.level]}
        </span>
        <span class="number">{track.number}</span>
        <span class="level">{words.level(threat.level)}</span>
        <span class="score" title={`${trendWord[threat.trend]}; ${words.levelLags}`}>
          {`${Math.round(threat.score)} ${trendMark[threat.trend]}`}
        </span>
        <span class="age">
          {track.state === 'lost' ? `${track.state} · ` : ''}
          {words.ago(clock.ageS(track.last_seen_at))}
        </span>
      </span>
      <span class="where">
        {words.whereabouts(threat, placeName)}
        <PerhapsNow track={track} />
        {track.integrity.verdict === 'suspect' ? <span class="doubt"> · {words.claimsSuspect(track)}</span> : null}
        <LevelAbove threat={threat} />
      </span>
      <span class="second reason-below">{reason?.text ?? ''}</span>
      {threat.dismissed === null ? null : <span class="second">{words.dismissed(threat.dismissed)}</span>}
      <DismissalEnd ended={threat.dismissal_ended} />
    </button>
  );
}
