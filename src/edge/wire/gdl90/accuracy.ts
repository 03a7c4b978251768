/**
 * Converts the standard deviation of a horizontal position to the ADS-B categories of accuracy (NACp) and integrity
 * (NIC) (RTCA DO-260B; GDL 90 section 3.5.1.7).
 */

/** Radius that contains 95 % of a circular normal distribution, in standard deviations. */
const TO_95_PCT = Math.sqrt(-2 * Math.log(0.05));
/** Containment radius of NIC, in standard deviations: the position error exceeds it in 1 of 10 million cases. */
const TO_CONTAINMENT = Math.sqrt(-2 * Math.log(1e-7));

/** Radius below which each category applies, m. Higher categories are left out: a fused track must not claim them. */
const nacpSteps: readonly (readonly [category: number, withinM: number])[] = [
  ...([
    [9, 30],
    [8, 92.6],
    [7, 185.2],
    [6, 555.6],
    [5, 926],
  ] as const),
  ...([
    [4, 1_852],
    [3, 3_704],
    [2, 7_408],
    [1, 18_520],
  ] as const),
];
const nicSteps: readonly (readonly [category: number, withinM: number])[] = [
  ...([
    [8, 185.2],
    [7, 370.4],
    [6, 1_111.2],
    [5, 1_852],
  ] as const),
  ...([
    [4, 3_704],
    [3, 7_408],
    [2, 14_816],
    [1, 37_040],
  ] as const),
];

const categoryOf = (steps: typeof nacpSteps, radiusM: number): number =>
  steps.find(([, withinM]) => radiusM < withinM)?.[0] ?? 0;

/** Returns NIC and NACp for a standard deviation in metres; both are 0 if it is unknown. */
export function accuracyOf(sigmaM: number | null): { nic: number; nacp: number } {
  if (sigmaM === null) return { nic: 0, nacp: 0 };
  return { nic: categoryOf(nicSteps, sigmaM * TO_CONTAINMENT), nacp: categoryOf(nacpSteps, sigmaM * TO_95_PCT) };
}
