import type { Spot } from './camera.ts';

export type Grouped<T> = { members: T[]; spot: Spot };

/** Side of a grid cell, px. Objects in one cell are drawn as one symbol. */
const TOGETHER_PX = 10;
const LEAST_MEMBERS = 3;

/** Groups three or more objects of one grid cell. A selected object, and each remaining one, forms a group of one. */
export function groupsOf<T extends { spot: Spot; isSelected?: boolean }>(objects: readonly T[]): Grouped<T>[] {
  const cells = new Map<string, T[]>();
  for (const object of objects) {
    const place = object.spot.map((px) => Math.round(px / TOGETHER_PX)).join(' ');
    // The label of a selected object must be readable.
    const key = object.isSelected ? `selected ${place}` : place;
    cells.set(key, [...(cells.get(key) ?? []), object]);
  }
  return [...cells.values()].flatMap((members) => {
    const [first] = members;
    if (first && members.length >= LEAST_MEMBERS) return [{ members, spot: first.spot }];
    return members.map((member) => ({ members: [member], spot: member.spot }));
  });
}
