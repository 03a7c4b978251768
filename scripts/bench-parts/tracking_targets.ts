import type { Row } from './row.ts';
import type { TrackingScore } from './tracking_score.ts';
import { gospaRatio, type Scored } from './tracking_table.ts';

type Target = NonNullable<Row['target']>;

/** What must hold of one scenario; those that were not run have no row. */
const ofScenarios: readonly {
  scenario: string;
  figure: keyof TrackingScore;
  name: string;
  unit: string;
  target: Target;
}[] = [
  {
    scenario: 'friend_close',
    figure: 'falseFriendS',
    name: "a friend's identity on another",
    unit: 's',
    target: { atMost: 0 },
  },
  { scenario: 'parallel', figure: 'idRight', name: 'identity right', unit: 'share', target: { atLeast: 0.97 } },
  { scenario: 'swarm100_rid', figure: 'idRight', name: 'identity right', unit: 'share', target: { atLeast: 0.95 } },
  { scenario: 'spoof800', figure: 'spoofFlagged', name: 'ghosts flagged', unit: 'share', target: { atLeast: 0.95 } },
  { scenario: 'spoof800', figure: 'falseFlags', name: 'others flagged', unit: 'share', target: { atMost: 0 } },
  { scenario: 'spoof_flood', figure: 'spoofFlagged', name: 'ghosts flagged', unit: 'share', target: { atLeast: 0.95 } },
  { scenario: 'spoof_flood', figure: 'falseFlags', name: 'others flagged', unit: 'share', target: { atMost: 0 } },
  { scenario: 'dense_clutter', figure: 'false', name: 'false tracks', unit: 'a scan', target: { atMost: 0.2 } },
  { scenario: 'n50', figure: 'nees', name: 'NEES, 3 degrees of freedom', unit: '', target: { within: [2, 4] } },
  { scenario: 'n200', figure: 'nees', name: 'NEES, 3 degrees of freedom', unit: '', target: { within: [2, 4] } },
];

/** The figures that decide, each beside its target. */
export function trackingTargets(scored: readonly Scored[]): Row[] {
  const own = ofScenarios.flatMap(({ scenario, figure, name, unit, target }) => {
    const found = scored.find((row) => row.name === scenario);
    return found === undefined ? [] : [{ name: `${scenario}: ${name}`, value: found.mean[figure], unit, target }];
  });
  return [...ratioRows(scored), ...own];
}

function ratioRows(scored: readonly Scored[]): Row[] {
  const [worst, ...others] = scored
    .filter((row) => row.reference !== null)
    .sort((a, b) => gospaRatio(b) - gospaRatio(a));
  if (worst === undefined) return [];
  const ratios = [worst, ...others].map(gospaRatio);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const unit = 'of the reference';
  return [
    { name: 'GOSPA, mean', value: mean, unit, target: { below: 1 } },
    { name: `GOSPA, worst: ${worst.name}`, value: gospaRatio(worst), unit, target: { atMost: 1.03 } },
  ];
}
