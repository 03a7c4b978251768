import type { Padding, Spot } from './camera.ts';
import type { Box } from './labels.ts';

type Size = { widthPx: number; heightPx: number };

const EDGE_PX = 64;

/** Boxes just outside each edge of the map. Labels avoid these boxes, so that no label is cut at an edge. */
export const edgesOf = ({ widthPx, heightPx }: Size): Box[] => [
  { left: -EDGE_PX, top: -EDGE_PX, right: widthPx + EDGE_PX, bottom: 0 },
  { left: -EDGE_PX, top: heightPx, right: widthPx + EDGE_PX, bottom: heightPx + EDGE_PX },
  { left: -EDGE_PX, top: 0, right: 0, bottom: heightPx },
  { left: widthPx, top: 0, right: widthPx + EDGE_PX, bottom: heightPx },
];

/** Room between a place and the edge of the map, px: less on a small map, where 60 px would take most of the map. */
const roomIn = ({ widthPx, heightPx }: Size): number =>
  Math.min(60, Math.max(24, Math.round(Math.min(widthPx, heightPx) / 10)));
/** Room between a place and what lies over the map, px: half of a symbol and its ring. */
const BESIDE_PX = 20;

/**
 * Padding of the map, so that no place lies under the row or column of buttons. Only one side gets more than the usual
 * room: the side that needs the least padding for this.
 */
export function paddingBeside(buttons: readonly Box[], size: Size): Padding {
  const room = roomIn(size);
  const even = { left: room, top: room, right: room, bottom: room };
  if (buttons.length === 0) return even;
  const cuts = [
    ['left', Math.max(...buttons.map(({ right }) => right))],
    ['top', Math.max(...buttons.map(({ bottom }) => bottom))],
    ['right', size.widthPx - Math.min(...buttons.map(({ left }) => left))],
    ['bottom', size.heightPx - Math.min(...buttons.map(({ top }) => top))],
  ] as const;
  const [side, px] = cuts.toSorted((a, b) => a[1] - b[1])[0] ?? cuts[0];
  return { ...even, [side]: Math.max(room, px + BESIDE_PX) };
}

/**
 * Shortest shift, px, that moves a spot out from under the boxes and keeps it on the map. Null where the spot is not
 * covered, and where no shift does this.
 */
export function wayOut([x, y]: Spot, boxes: readonly Box[], { widthPx, heightPx }: Size): Spot | null {
  const grown = boxes.map(({ left, top, right, bottom }) => ({
    ...{ left: left - BESIDE_PX, top: top - BESIDE_PX, right: right + BESIDE_PX, bottom: bottom + BESIDE_PX },
  }));
  const isFree = (toX: number, toY: number): boolean =>
    grown.every(({ left, top, right, bottom }) => toX <= left || toX >= right || toY <= top || toY >= bottom);
  if (isFree(x, y)) return null;
  const isOn = (toX: number, toY: number): boolean =>
    toX >= BESIDE_PX && toY >= BESIDE_PX && toX <= widthPx - BESIDE_PX && toY <= heightPx - BESIDE_PX;
  const ways = [x, ...grown.flatMap(({ left, right }) => [left, right])].flatMap((toX) =>
    [y, ...grown.flatMap(({ top, bottom }) => [top, bottom])].flatMap((toY) =>
      isOn(toX, toY) && isFree(toX, toY) ? [[toX - x, toY - y] as const] : [],
    ),
  );
  return ways.sort((a, b) => Math.hypot(...a) - Math.hypot(...b))[0] ?? null;
}
