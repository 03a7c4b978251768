/**
 * One aircraft: track number, position, altitude, and velocity. The position is that of the point below it on the
 * ellipsoid, in axes that all members share. Its `upM` counts far from their origin, where the earth curves away.
 */
export class Member {
  number = 0;
  eastM = Number.NaN;
  northM = Number.NaN;
  upM = Number.NaN;
  altHaeM = Number.NaN;
  eastMps = Number.NaN;
  northMps = Number.NaN;
  upMps = Number.NaN;
}

const NEAR_M = 300;
/** Velocities count as equal if they differ by at most `COMMON_MPS`, or by `COMMON_SHARE` of the higher speed. */
const COMMON_MPS = 4;
const COMMON_SHARE = 0.25;
/**
 * Factor on the limits of distance and velocity for aircraft that were in one group before. It keeps a group near a
 * limit from flickering.
 */
const STILL = 1.25;
const CELL_M = NEAR_M * STILL;
/**
 * Number of cells in a row of the grid, above any site's need. A cell's row and column are combined into one number.
 */
const ROW_CELLS = 1 << 20;
/** Offsets from a cell to its eight neighbours and to itself. */
const NEIGHBOURS: readonly number[] = [-ROW_CELLS, 0, ROW_CELLS].flatMap((north) => [north - 1, north, north + 1]);

/**
 * Returns the parties (aircraft that fly together, directly or through others) as lists of track numbers, in the order
 * of `members`. A grid finds neighbours, so that not all pairs of aircraft are compared. Two aircraft already known to
 * be in one party are not compared either.
 */
export function partiesOf(members: readonly Member[], lastKeyOf: (number: number) => number): number[][] {
  const roots = new Int32Array(members.length).map((_, i) => i);
  const lastKeys = Int32Array.from(members, ({ number }) => lastKeyOf(number));
  const cells = new Map<number, number[]>();
  members.forEach((member, i) => {
    const cell = cellOf(member);
    for (const away of NEIGHBOURS) {
      const near = cells.get(cell + away);
      if (!near) continue;
      for (const j of near) {
        const a = rootOf(roots, i);
        const b = rootOf(roots, j);
        if (a === b) continue;
        const before = members[j];
        const still = lastKeys[i] !== 0 && lastKeys[i] === lastKeys[j];
        if (before && isTogether(member, before, still ? STILL : 1)) roots[Math.max(a, b)] = Math.min(a, b);
      }
    }
    const own = cells.get(cell);
    if (own) own.push(i);
    else cells.set(cell, [i]);
  });
  return gather(members, roots);
}

function gather(members: readonly Member[], roots: Int32Array): number[][] {
  const parties = new Map<number, number[]>();
  members.forEach(({ number }, i) => {
    const root = rootOf(roots, i);
    const party = parties.get(root);
    if (party) party.push(number);
    else parties.set(root, [number]);
  });
  return [...parties.values()];
}

function isTogether(a: Member, b: Member, slack: number): boolean {
  const x = a.eastM - b.eastM;
  const y = a.northM - b.northM;
  const below = a.upM - b.upM;
  // An unknown height or climb rate counts as no difference.
  const z = a.altHaeM - b.altHaeM || 0;
  const nearM = NEAR_M * slack;
  if (x * x + y * y + below * below + z * z > nearM * nearM) return false;
  const east = a.eastMps - b.eastMps;
  const north = a.northMps - b.northMps;
  const climb = a.upMps - b.upMps || 0;
  const commonMps = Math.max(COMMON_MPS, COMMON_SHARE * Math.sqrt(Math.max(groundSquare(a), groundSquare(b)))) * slack;
  return east * east + north * north + climb * climb <= commonMps * commonMps;
}

function groundSquare({ eastMps, northMps }: Member): number {
  return eastMps * eastMps + northMps * northMps;
}

/** The grid leaves out `upM`: aircraft near each other are in neighbouring cells all the same. */
function cellOf({ eastM, northM }: Member): number {
  return Math.floor(eastM / CELL_M) + ROW_CELLS * Math.floor(northM / CELL_M);
}

function rootOf(roots: Int32Array, i: number): number {
  let at = i;
  for (let up = roots[at] ?? at; up !== at; up = roots[at] ?? at) {
    roots[at] = roots[up] ?? up;
    at = up;
  }
  return at;
}
