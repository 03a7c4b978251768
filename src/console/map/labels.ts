import type { Spot } from './camera.ts';

/**
 * A label to be placed beside its symbol. Labels of higher `priority` are placed first; `spot` is the symbol's centre.
 */
export type Label = {
  id: string;
  spot: Spot;
  widthPx: number;
  heightPx: number;
  priority: number;
  /** Distance from the symbol's centre to the nearest edge of the label, px; `GAP_PX` where it is left out. */
  gapPx?: number;
  /** Whether the label is left out where it would cover the name of an area. */
  yields?: boolean;
  /** Whether the label may be further away, with a line to its symbol, where no near slot is free. */
  hasLine?: boolean;
};
/**
 * A placed label: its upper left corner, and its slot, one of twelve directions from the symbol. Slots from `SLOTS` on
 * are further away.
 */
export type Placed = { id: string; leftPx: number; topPx: number; slot: number };

/** A box on the map, px from its upper left corner. */
export type Box = { left: number; top: number; right: number; bottom: number };

const SLOTS = 12;
/** Additional distance of a far slot, px. */
const FAR_PX = 26;
/** Usual distance from the symbol's centre to the nearest edge of the label, px. */
const GAP_PX = 16;
/** Half of a symbol's side, px. With a larger value, a symbol's box would cover the diagonal slots of its own label. */
const SYMBOL_PX = 11;
const CELL_PX = 64;
/** Number of cells in a row of the grid, more than any screen needs. */
const ROW_CELLS = 4_096;

/** Placed boxes by cell of a grid, so that a label is compared only with its neighbours. */
class Occupied {
  readonly #cells = new Map<number, Box[]>();

  isFree(box: Box): boolean {
    return this.#cellsOf(box).every((cell) =>
      (this.#cells.get(cell) ?? []).every(
        (one) => one.right <= box.left || one.left >= box.right || one.bottom <= box.top || one.top >= box.bottom,
      ),
    );
  }

  add(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes) boxes.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  #cellsOf({ left, top, right, bottom }: Box): number[] {
    const cells: number[] = [];
    for (let x = Math.floor(left / CELL_PX); x <= Math.floor(right / CELL_PX); x++)
      for (let y = Math.floor(top / CELL_PX); y <= Math.floor(bottom / CELL_PX); y++) cells.push(x * ROW_CELLS + y);
    return cells;
  }
}

/** Box of a label in one of the slots around its symbol; slot 0 is to the right, the others follow clockwise. */
function boxOf({ spot: [x, y], widthPx, heightPx, gapPx: nearPx = GAP_PX }: Label, slot: number): Box {
  const gapPx = slot < SLOTS ? nearPx : nearPx + FAR_PX;
  const angle = (2 * Math.PI * slot) / SLOTS;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const centreX = x + cos * (gapPx + widthPx / 2);
  const centreY = y + sin * (gapPx + heightPx / 2);
  const [left, top] = [Math.round(centreX - widthPx / 2), Math.round(centreY - heightPx / 2)];
  return { left, top, right: left + widthPx, bottom: top + heightPx };
}

/** Whether a slot is one of those further away, whose labels have a line to their symbol. */
export const isFar = (slot: number): boolean => slot >= SLOTS;

/** Returns true if two boxes share an area. */
export const areOver = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Square box around a spot; `half` is half of its side, px. */
export const boxAround = ([x, y]: Spot, half: number): Box => ({
  left: x - half,
  top: y - half,
  right: x + half,
  bottom: y + half,
});

/**
 * Places labels without overlap, by priority. A label tries its previous slot (`last`) before other slots at the same
 * distance, so that it rarely jumps. A label without a free slot is left out; one with a line also tries the far slots.
 * Symbols, given by their centres, are never covered. `names` of areas are covered only where there is no other slot,
 * and never by a label that yields. Nothing is placed in `covered`, where buttons lie over the map.
 */
export function placeLabels(
  labels: readonly Label[],
  symbols: readonly Spot[],
  last: ReadonlyMap<string, number>,
  names: readonly Box[] = [],
  covered: readonly Box[] = [],
): Placed[] {
  const named = new Occupied();
  for (const box of names) named.add(box);
  const occupied = new Occupied();
  for (const box of covered) occupied.add(box);
  for (const spot of symbols) occupied.add(boxAround(spot, SYMBOL_PX));
  const placed: Placed[] = [];
  const byPriority = labels.toSorted((a, b) => b.priority - a.priority || a.id.localeCompare(b.id));
  for (const label of byPriority) {
    let chosen: { slot: number; box: Box } | null = null;
    for (const slot of slotsOf(label, last.get(label.id))) {
      const box = boxOf(label, slot);
      if (!occupied.isFree(box)) continue;
      const isClear = named.isFree(box);
      if (isClear || (chosen === null && !label.yields)) chosen = { slot, box };
      if (isClear) break;
    }
    if (!chosen) continue;
    const { slot, box } = chosen;
    occupied.add(box);
    placed.push({ id: label.id, leftPx: box.left, topPx: box.top, slot });
  }
  return placed;
}

/** Slots in the order in which a label tries them: near before far, and the last one before others of its distance. */
function slotsOf({ hasLine = false }: Label, last = 0): number[] {
  const all = Array.from({ length: hasLine ? 2 * SLOTS : SLOTS }, (_, slot) => slot);
  const rank = (slot: number): number => Math.floor(slot / SLOTS) + (slot === last ? 0 : 0.5);
  return all.sort((a, b) => rank(a) - rank(b) || a - b);
}
