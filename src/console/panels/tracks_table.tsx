import { useState } from 'preact/hooks';
import type { Track } from '../../model/track.ts';
import { clock, store } from '../console.ts';
import { useHeldRows } from '../parts/held_rows.ts';
import { mostRows } from '../state/lists.ts';
import { placeName } from '../state/names.ts';
import { selection, selectTrack } from '../state/select.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { heightText, speedText } from '../words/units.ts';

type Column = { name: string; text: (track: Track) => string; order: (track: Track) => string | number };

const levelOf = ({ id }: Track): string => store.threats.get(id)?.level ?? 'none';
/** Level, and the end of a dismissal. */
function levelText({ id }: Track): string {
  const threat = store.threats.get(id);
  if (!threat) return 'none';
  return threat.dismissed === null ? threat.level : `${threat.level}, ${words.dismissedUntil(threat.dismissed)}`;
}
/** Place relative to the nearest zone; empty for an own vehicle and where no zone is near. */
function whereText({ id }: Track): string {
  const threat = store.threats.get(id);
  return threat === undefined || threat.nearest_zone === null ? '' : words.placed(threat.nearest_zone, placeName);
}
/** Distance from the nearest zone, m: below 0 inside, infinite where no zone is near. */
function awayM({ id }: Track): number {
  const zone = store.threats.get(id)?.nearest_zone ?? null;
  if (zone === null) return Number.POSITIVE_INFINITY;
  return zone.inside ? -(zone.depth_m ?? 0) : zone.distance_m;
}
/** Name of the own vehicle that a track is; null for others. */
const ownName = ({ asset_id }: Track): string | null => store.assets.get(asset_id)?.name ?? null;
const isDismissed = ({ id }: Track): boolean => (store.threats.get(id)?.dismissed ?? null) !== null;
const levelOrder = ['critical', 'high', 'medium', 'low', 'none'];

const columns: readonly Column[] = [
  { name: 'Number', text: ({ number }) => number, order: ({ number }) => number },
  { name: 'State', text: ({ state }) => state, order: ({ state }) => state },
  { name: 'Affiliation', text: words.affiliation, order: ({ affiliation }) => affiliation },
  { name: 'Type', text: words.type, order: words.type },
  { name: 'Level', text: levelText, order: (track) => levelOrder.indexOf(levelOf(track)) },
  { name: 'Where', text: whereText, order: awayM },
  {
    name: 'Height AGL',
    text: ({ position }) => heightText(position?.alt_agl_m, settings.value),
    order: ({ position }) => position?.alt_agl_m ?? Number.POSITIVE_INFINITY,
  },
  {
    name: 'Speed',
    text: ({ velocity }) => speedText(velocity?.speed_mps, settings.value),
    order: ({ velocity }) => velocity?.speed_mps ?? -1,
  },
  {
    name: 'Last seen',
    text: ({ last_seen_at }) => words.age(clock.ageS(last_seen_at)),
    order: ({ last_seen_at }) => -Date.parse(last_seen_at),
  },
];

/** All tracks as a table for the keyboard, so that every track can be reached without the map. */
export function TracksTable() {
  const [sortBy, setSortBy] = useState('Level');
  const [wanted, setFirst] = useState(0);
  const column = columns.find(({ name }) => name === sortBy) ?? columns[0];
  const sorted = store.tracks
    .list()
    .sort((a, b) => compare(column?.order(a), column?.order(b)) || compare(a.number, b.number));
  const { rows: tracks, isHeld, list } = useHeldRows<Track, HTMLTableSectionElement>(sorted, ({ id }) => id);
  // If tracks end while a later page is open, the last page with rows is shown.
  const size = mostRows.value;
  const first = Math.min(wanted, Math.floor(Math.max(0, tracks.length - 1) / size) * size);
  return (
    <section class="panel tracks" aria-label={words.tracks}>
      {tracks.length === 0 ? <p class="empty">{words.noTracks}</p> : null}
      <p class="order">{isHeld ? words.orderHeld : ''}</p>
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col" aria-sort={name === sortBy ? 'ascending' : 'none'}>
                <button type="button" onClick={() => setSortBy(name)}>
                  {name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list}>
          {tracks.slice(first, first + size).map((track) => (
            <tr
              key={track.id}
              class={track.state}
              data-dismissed={isDismissed(track)}
              aria-selected={selection.value?.id === track.id}
            >
              {columns.map(({ name, text }, index) => (
                <td key={name}>
                  {index === 0 ? (
                    <button type="button" class="link" onClick={() => selectTrack(track.id)}>
                      {text(track)} {ownName(track) === null ? null : <bdi>{ownName(track)}</bdi>}
                    </button>
                  ) : (
                    text(track)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Pages first={first} size={size} count={tracks.length} onTurn={setFirst} />
    </section>
  );
}

type PagesProps = { first: number; size: number; count: number; onTurn: (first: number) => void };

/** Buttons to the previous and next page of a table that is longer than one page. */
function Pages({ first, size, count, onTurn }: PagesProps) {
  if (count <= size) return null;
  const last = Math.min(count, first + size);
  return (
    <nav class="pages" aria-label={words.pages}>
      <span>{words.rowsOf(first + 1, last, count)}</span>
      <button type="button" aria-disabled={first === 0} onClick={() => first > 0 && onTurn(Math.max(0, first - size))}>
        {words.previousPage}
      </button>
      <button type="button" aria-disabled={last === count} onClick={() => last < count && onTurn(first + size)}>
        {words.nextPage}
      </button>
    </nav>
  );
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined || a === b) return 0;
  return a < b ? -1 : 1;
}
