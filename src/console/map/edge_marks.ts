import type { Camera, Spot } from './camera.ts';
import type { Box } from './labels.ts';

/** Distance of a mark from the edge of the map, px. */
const MARGIN_PX = 14;
/** Least distance of a mark from a box over the map, px. */
const BESIDE_PX = 12;
/** Distance of a mark's text from the mark, px. */
const TEXT_PX = 26;
/** Step by which a mark moves towards the middle of the map until no box covers it, px. */
const STEP_PX = 8;

/** A mark at the edge of the map or beside a button, and the direction in which its track is, radians clockwise from the right. */
export type EdgeMark = { spot: Spot; angle: number };
/** A mark with its text: the number of its track, and how many further tracks have their marks at the same place. */
export type NamedMark<T> = EdgeMark & { of: T; more: number };

/**
 * Mark of a spot outside of the map or under a box over it, such as a button; null for a spot in view. The mark is on
 * the line from the map's middle to the spot. Boxes move it towards the middle; it is null if they cover the whole line.
 */
export function edgeMark(
  [x, y]: Spot,
  { widthPx, heightPx }: Pick<Camera, 'widthPx' | 'heightPx'>,
  covered: readonly Box[] = [],
): EdgeMark | null {
  const isOnMap = x >= 0 && y >= 0 && x <= widthPx && y <= heightPx;
  if (isOnMap && !isUnder([x, y], covered)) return null;
  const [middleX, middleY] = [widthPx / 2, heightPx / 2];
  const [dx, dy] = [x - middleX, y - middleY];
  const shareX = dx === 0 ? Number.POSITIVE_INFINITY : (middleX - MARGIN_PX) / Math.abs(dx);
  const shareY = dy === 0 ? Number.POSITIVE_INFINITY : (middleY - MARGIN_PX) / Math.abs(dy);
  const step = STEP_PX / Math.hypot(dx, dy);
  for (let share = isOnMap ? 1 : Math.min(shareX, shareY); share > 0; share -= step) {
    const spot: Spot = [middleX + share * dx, middleY + share * dy];
    if (!isNear(spot, covered)) return { spot, angle: Math.atan2(dy, dx) };
  }
  return null;
}

const isUnder = ([x, y]: Spot, boxes: readonly Box[]): boolean =>
  boxes.some(({ left, top, right, bottom }) => x > left && x < right && y > top && y < bottom);

const isNear = ([x, y]: Spot, boxes: readonly Box[]): boolean =>
  boxes.some(
    ({ left, top, right, bottom }) =>
      x > left - BESIDE_PX && x < right + BESIDE_PX && y > top - BESIDE_PX && y < bottom + BESIDE_PX,
  );

/** Distances below which the texts of two marks would cover each other, px. */
const [BESIDE_TEXT_PX, BELOW_TEXT_PX] = [62, 20];

/** Merges marks whose texts would cover each other into the first of them. The most urgent mark comes first. */
export function mergeMarks<T>(marks: readonly (EdgeMark & { of: T })[]): NamedMark<T>[] {
  const merged: NamedMark<T>[] = [];
  for (const mark of marks) {
    const [x, y] = mark.spot;
    const same = merged.find(
      ({ spot }) => Math.abs(spot[0] - x) < BESIDE_TEXT_PX && Math.abs(spot[1] - y) < BELOW_TEXT_PX,
    );
    if (same) same.more++;
    else merged.push({ ...mark, more: 0 });
  }
  return merged;
}

/** Box of a mark's text, towards the middle of the map from the mark. */
export function textBox({ spot: [x, y], angle }: EdgeMark): Box {
  const [textX, textY] = [x - TEXT_PX * Math.cos(angle), y - TEXT_PX * Math.sin(angle)];
  return { left: textX - BESIDE_TEXT_PX / 2, top: textY - 9, right: textX + BESIDE_TEXT_PX / 2, bottom: textY + 9 };
}
