import type { Camera, Spot } from './camera.ts';
import { areOver, type Box, boxAround } from './labels.ts';

/** Size of the map, px. */
type Size = Pick<Camera, 'widthPx' | 'heightPx'>;
/** Alignment of a text at its spot. */
type Align = 'left' | 'center' | 'right';
/** A spot at which a name may be written: the left end, the middle or the right end of its base line. */
export type Candidate = { spot: Spot; align: Align };
/**
 * A name to be placed, with its candidates, the best one first. An optional one is left out where it would cover
 * something.
 */
export type AreaName = { id: string; widthPx: number; candidates: readonly Candidate[]; isOptional?: boolean };

/** Height of a text, px. Its base line is 3 px above the lower edge of its box. */
export const TEXT_PX = 12;
export const BASE_LINE_PX = 3;
/** Half of the side of a track's symbol, with a margin, px. */
const SYMBOL_PX = 14;
/** Least distance of a name from a button, px. */
const MARGIN_PX = 4;
/** Limit of the lines by which a text is moved down to avoid earlier texts. */
const MOST_LINES_DOWN = 4;

/** Candidates at an outline: above it, below it, inside at top and bottom, beside its leftmost and rightmost spot. */
export function candidatesAround(spots: readonly Spot[], widthPx: number, isBelowFirst = false): Candidate[] {
  const most = (of: (spot: Spot) => number): Spot | undefined =>
    spots.reduce<Spot | undefined>(
      (best, spot) => (best === undefined || of(spot) > of(best) ? spot : best),
      undefined,
    );
  const [top, bottom] = [most(([, y]) => -y), most(([, y]) => y)];
  const [left, right] = [most(([x]) => -x), most(([x]) => x)];
  if (!top || !bottom || !left || !right) return [];
  const above: Candidate = { spot: [top[0], top[1] - 5], align: 'center' };
  const below: Candidate = { spot: [bottom[0], bottom[1] + 14], align: 'center' };
  return [
    ...(isBelowFirst ? [below, above] : [above, below]),
    ...insideOf(top, bottom, right[0] - left[0], widthPx),
    { spot: [right[0] + 6, right[1] + 4], align: 'left' },
    { spot: [left[0] - 6, left[1] + 4], align: 'right' },
  ];
}

/**
 * Candidates inside an outline, at its top and bottom. They are so deep that a circle as wide as the outline would not
 * cross the text. There are none if the text would come near the middle, where symbols are.
 */
function insideOf(top: Spot, bottom: Spot, extentPx: number, widthPx: number): Candidate[] {
  // A chord of width w lies w² / 8r below the top of a circle.
  const depthPx = widthPx ** 2 / (4 * extentPx) + 4;
  if (!(depthPx < extentPx / 4)) return [];
  return [
    { spot: [top[0], top[1] + depthPx + TEXT_PX], align: 'center' },
    { spot: [bottom[0], bottom[1] - depthPx - BASE_LINE_PX], align: 'center' },
  ];
}

/**
 * Places the names of areas for one drawing. A name covers no other name, symbol or button over the map if one of its
 * candidates is free.
 */
export class AreaNames {
  /** Boxes of the texts placed so far. */
  readonly placed: Box[] = [];
  readonly #map: Size;
  readonly #covered: Box[];
  readonly #last: Map<string, number>;
  readonly #taken = new Map<string, number>();

  /** `last` holds the candidate of each name in the previous drawing, so that names do not jump. `end` updates it. */
  constructor(map: Size, symbols: readonly Spot[], over: readonly Box[], last: Map<string, number>) {
    this.#map = map;
    this.#covered = [...over.map(widened), ...symbols.map((spot) => boxAround(spot, SYMBOL_PX))];
    this.#last = last;
  }

  /**
   * Places a name at its previous candidate if that is free, else at the first free one, else at the first one in view.
   * Returns its box; null if no candidate is in view, or if none is free for an optional name.
   */
  place({ id, widthPx, candidates, isOptional }: AreaName): Box | null {
    const boxes = candidates.map(({ spot, align }) => boxOf(spot, widthPx, align));
    const inView = [...boxes.keys()].filter((index) => isInView(boxes[index], this.#map));
    const before = this.#last.get(id);
    const byWish =
      before === undefined ? inView : inView.toSorted((a, b) => Number(b === before) - Number(a === before));
    const chosen = byWish.find((index) => this.#isFree(boxes[index])) ?? (isOptional ? undefined : inView[0]);
    const box = chosen === undefined ? undefined : boxes[chosen];
    if (chosen === undefined || box === undefined) return null;
    this.#taken.set(id, chosen);
    this.placed.push(box);
    return box;
  }

  /** Places a text at a fixed spot; earlier texts move it down by some lines. */
  fix(widthPx: number, spot: Spot): Box {
    const box = boxOf(spot, widthPx, 'left');
    const down = (line: number): Box => moved(box, line * (TEXT_PX + 3));
    const lines = Array.from({ length: MOST_LINES_DOWN + 1 }, (_, line) => down(line));
    const free = lines.find((one) => !this.placed.some((other) => areOver(one, other))) ?? box;
    this.placed.push(free);
    return free;
  }

  /** Keeps all names out of a box. */
  keepOut(box: Box): void {
    this.#covered.push(box);
  }

  /** Stores the candidates of this drawing in `last`, for the next drawing. */
  end(): void {
    this.#last.clear();
    for (const [id, index] of this.#taken) this.#last.set(id, index);
  }

  #isFree(box: Box | undefined): boolean {
    return box !== undefined && ![...this.placed, ...this.#covered].some((other) => areOver(box, other));
  }
}

/** Returns true if a symbol covers one of the placed texts. */
export const isCovered = (placed: readonly Box[], symbols: readonly Spot[]): boolean =>
  symbols.some((spot) => placed.some((box) => areOver(box, boxAround(spot, SYMBOL_PX))));

const widened = ({ left, top, right, bottom }: Box): Box => ({
  left: left - MARGIN_PX,
  top: top - MARGIN_PX,
  right: right + MARGIN_PX,
  bottom: bottom + MARGIN_PX,
});

const shares: Record<Align, number> = { left: 0, center: 0.5, right: 1 };

function boxOf([x, y]: Spot, widthPx: number, align: Align): Box {
  const left = x - shares[align] * widthPx;
  return { left, top: y - TEXT_PX, right: left + widthPx, bottom: y + BASE_LINE_PX };
}

const moved = ({ left, top, right, bottom }: Box, downPx: number): Box => ({
  ...{ left, right },
  top: top + downPx,
  bottom: bottom + downPx,
});

const isInView = (box: Box | undefined, { widthPx, heightPx }: Size): boolean =>
  box !== undefined && box.left >= 0 && box.top >= 0 && box.right <= widthPx && box.bottom <= heightPx;
