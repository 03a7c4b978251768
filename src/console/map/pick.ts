import type { Spot } from './camera.ts';

export const TOLERANCE_PX = 18;

export type Pickable = { id: string; spot: Spot };

/** Ids of objects within the tolerance of a click, nearest first. */
export function picked(objects: readonly Pickable[], [x, y]: Spot): string[] {
  return objects
    .map(({ id, spot }) => ({ id, px: Math.hypot(spot[0] - x, spot[1] - y) }))
    .filter(({ px }) => px <= TOLERANCE_PX)
    .sort((a, b) => a.px - b.px)
    .map(({ id }) => id)
    .filter((id, index, all) => all.indexOf(id) === index);
}

/** Id of the object that a click selects. Repeated clicks at one place select the objects there one after the other. */
export function nextPicked(found: readonly string[], selected: string | null): string | null {
  const at = selected === null ? -1 : found.indexOf(selected);
  return found[(at + 1) % found.length] ?? null;
}
