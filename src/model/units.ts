/** Exact definitions of the units in which feeds report. */
export const METRES_PER_FOOT = 0.3048;
export const MPS_PER_KNOT = 1852 / 3600;

/** Unix time of 2019-01-01T00:00:00Z, s: the zero of Remote ID system times (ASTM F3411-22a, 5.4.5.13). */
export const REMOTE_ID_EPOCH_S = 1_546_300_800;

/** Normalises an angle to 0 ≤ x < 360 degrees. */
export function normaliseDeg(angleDeg: number): number {
  const turned = angleDeg % 360;
  const positive = turned < 0 ? turned + 360 : turned;
  return positive >= 360 ? 0 : positive;
}
