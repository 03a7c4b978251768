import type { Position } from '../../../src/model/geometry.ts';
import { placeAt } from './place.ts';

/** A ring that meets itself nowhere: positions all round a middle, each at its own distance. */
export function starRing(middle: Position, distancesM: readonly number[], turnDeg = 0): Position[] {
  const [lon, lat] = middle;
  const ring = distancesM.map((metres, i): Position => {
    const place = placeAt({ lat, lon }, turnDeg + (360 * i) / distancesM.length, metres);
    return [place.lon, place.lat];
  });
  return [...ring, ...ring.slice(0, 1)];
}

type Vector = readonly [number, number, number];

function vectorOf([lonDeg, latDeg]: Position): Vector {
  const [lon, lat] = [(lonDeg * Math.PI) / 180, (latDeg * Math.PI) / 180];
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
}

const triple = (a: Vector, b: Vector, c: Vector): number =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);

/** Whether two of a ring's edges cross, each held against each, on the sphere itself and without a plane. */
export function crossesItself(ring: readonly Position[]): boolean {
  const at = ring.map(vectorOf);
  for (let i = 0; i + 1 < at.length; i++) {
    for (let j = i + 2; j + 1 < at.length; j++) {
      const [a, b, c, d] = [at[i], at[i + 1], at[j], at[j + 1]];
      if (!a || !b || !c || !d || (i === 0 && j === at.length - 2)) continue;
      const [abc, abd, cda, cdb] = [triple(a, b, c), triple(a, b, d), triple(c, d, a), triple(c, d, b)];
      // The last condition keeps the far side of the earth apart, where the same great circles meet again.
      if (abc * abd < 0 && cda * cdb < 0 && abc * cdb > 0) return true;
    }
  }
  return false;
}
