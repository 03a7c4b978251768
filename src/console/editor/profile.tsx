import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../api/calls.ts';
import { clock, store } from '../console.ts';
import { geometryOf, type ZoneDraft } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { type Heights, heightsOf, type Mark } from './heights.ts';
import { apartDown, type Scale, scaleOf } from './scale.ts';

const [WIDTH_PX, HEIGHT_PX] = [300, 150];
const [LEFT_PX, RIGHT_PX, TOP_PX, BOTTOM_PX] = [1, 156, 10, 146];
const TEXT_GAP_PX = 15;
/** Maximum number of tracks in the picture, and in the list below the picture. */
const [MOST_MARKS, MOST_NAMED] = [24, 4];
/** Track numbers are drawn only if there are at most so many tracks. */
const MOST_NUMBERED = 4;

/** Height above ground that a zone without a ceiling reaches, by the decision config, m; null while it is not known. */
const openM: Signal<number | null> = signal(null);

async function takeOpenCeiling(): Promise<void> {
  try {
    openM.value = (await calls.decisionConfig()).curves.open_ceiling_m;
  } catch {
    // Then the side view shows an open ceiling without its height.
  }
}

/** Side view of a zone: floor, ceiling and ground with their datum, and the tracks over its outline. */
export function Profile({ now }: { now: ZoneDraft }) {
  useEffect(() => void takeOpenCeiling(), []);
  // Tracks are read once a second, not with each batch of the stream, which comes more often than people need.
  void clock.second.value;
  const geometry = geometryOf(now);
  const { floorM, ceilingM, datum } = now;
  if (floorM !== null && ceilingM !== null && floorM >= ceilingM) return null;
  const heights: Heights =
    geometry === null
      ? { groundM: datum === 'agl' ? 0 : null, marks: [] }
      : heightsOf(
          { geometry, floorM, ceilingM, datum, openM: openM.value },
          [...store.regions.byId.values()],
          [...store.tracks.byId.values()],
        );
  const scale = scaleOf(now, heights.groundM, [TOP_PX, BOTTOM_PX]);
  const drawn = heights.marks.filter(({ heightM }) => heightM !== null).slice(0, MOST_MARKS);
  return (
    <figure class="profile">
      <svg viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} role="img" aria-label={words.profile({ ...now, ...heights })}>
        <Ground groundM={heights.groundM} scale={scale} />
        <Band now={now} scale={scale} />
        <Texts now={now} groundM={heights.groundM} scale={scale} />
        {drawn.map((mark, index, { length }) => (
          <Track
            key={mark.number}
            mark={mark}
            scale={scale}
            x={xOf(index, length)}
            isNumbered={length <= MOST_NUMBERED}
          />
        ))}
      </svg>
      <figcaption>{geometry === null ? words.nothingDrawn : <Over marks={heights.marks} datum={datum} />}</figcaption>
    </figure>
  );
}

/** The tracks over the outline as a text, the highest first. */
function Over({ marks, datum }: { marks: readonly Mark[]; datum: ZoneDraft['datum'] }) {
  const inside = marks.filter(({ side }) => side === 'inside' || side === 'unknown').length;
  return (
    <>
      {words.tracksOver(marks.length, inside)}
      <ul class="rows">
        {marks.slice(0, MOST_NAMED).map(({ number, heightM, side }) => (
          <li key={number}>{words.heightOf(number, heightM, side, datum)}</li>
        ))}
      </ul>
      {marks.length > MOST_NAMED ? words.more(marks.length - MOST_NAMED) : ''}
    </>
  );
}

const xOf = (index: number, count: number): number => LEFT_PX + ((RIGHT_PX - LEFT_PX) * (index + 1)) / (count + 1);

function Ground({ groundM, scale }: { groundM: number | null; scale: Scale }) {
  if (groundM === null) return null;
  const y = scale.yOf(groundM);
  return (
    <>
      <rect class="earth" x={LEFT_PX} y={y} width={RIGHT_PX - LEFT_PX} height={BOTTOM_PX - y} />
      <line class="ground" x1={LEFT_PX} x2={RIGHT_PX} y1={y} y2={y} />
    </>
  );
}

/** The zone itself. A drawn edge is a bound; a side without an edge is open. */
function Band({ now: { kind, floorM, ceilingM }, scale }: { now: ZoneDraft; scale: Scale }) {
  const [top, bottom] = [
    ceilingM === null ? TOP_PX : scale.yOf(ceilingM),
    floorM === null ? BOTTOM_PX : scale.yOf(floorM),
  ];
  const colour = kind === null ? 'currentColor' : `var(--zone-${kind.replace('_', '-')})`;
  const [left, right] = [LEFT_PX, RIGHT_PX];
  return (
    <g stroke={colour}>
      <rect class="inside" fill={colour} x={left} y={top} width={right - left} height={Math.max(0, bottom - top)} />
      <path d={`M${left} ${top}V${bottom}M${right} ${top}V${bottom}`} />
      {ceilingM === null ? null : <line x1={left} x2={right} y1={top} y2={top} />}
      {floorM === null ? null : <line x1={left} x2={right} y1={bottom} y2={bottom} />}
    </g>
  );
}

/** Labels beside the lines; close ones are moved apart. */
function Texts({ now, groundM, scale }: { now: ZoneDraft; groundM: number | null; scale: Scale }) {
  const { floorM, ceilingM, datum } = now;
  const lines = [
    { heightM: ceilingM ?? scale.highM, text: words.heightLine('ceiling', ceilingM, datum, openM.value) },
    ...(floorM === null ? [] : [{ heightM: floorM, text: words.heightLine('floor', floorM, datum, null) }]),
    { heightM: groundM ?? scale.lowM, text: words.heightLine('ground', groundM, datum, null) },
  ].toSorted((a, b) => b.heightM - a.heightM);
  const ys = apartDown(
    lines.map(({ heightM }) => scale.yOf(heightM) + 4),
    TEXT_GAP_PX,
    HEIGHT_PX - 5,
  );
  return (
    <>
      {lines.map(({ text }, index) => (
        <text key={text} x={RIGHT_PX + 8} y={Math.max(TEXT_GAP_PX - 3, ys[index] ?? 0)}>
          {text}
        </text>
      ))}
    </>
  );
}

/**
 * Mark of a track: a dot inside the zone's heights, and a ring outside them. An arrow at the edge stands for a track
 * above or below the picture.
 */
function Track(props: { mark: Mark; scale: Scale; x: number; isNumbered: boolean }) {
  const { mark, scale, x, isNumbered } = props;
  const { number, heightM, side } = mark;
  if (heightM === null) return null;
  const y = scale.yOf(heightM);
  const isBeyond = heightM > scale.highM || heightM < scale.lowM;
  const up = heightM > scale.highM ? -1 : 1;
  const [near, far] = [y - 4 * up, y + 4 * up];
  return (
    <g class={`mark ${side}`}>
      {isBeyond ? <path d={`M${x - 5} ${near}L${x} ${far}L${x + 5} ${near}`} /> : <circle cx={x} cy={y} r={4} />}
      {isNumbered ? (
        <text x={x} y={y < 2 * TEXT_GAP_PX ? y + TEXT_GAP_PX : y - 7}>
          {number.replace('T-', '')}
        </text>
      ) : null}
    </g>
  );
}
