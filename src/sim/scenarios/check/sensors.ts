import type { ScenarioSpec } from '../../../model/scenario.ts';
import { type Finding, findingIf } from '../fault.ts';
import { checkSpans } from './actors.ts';

/** The range of each sensor is not empty, and its outages lie within the scenario. */
export function checkSensors({ sensors, duration_s }: ScenarioSpec): Finding[] {
  return sensors.flatMap(({ placement: { min_range_m: min, max_range_m: max }, outages }, index) => {
    const path = ['sensors', index];
    const text = `must be more than min_range_m, which is ${min}`;
    return [
      ...checkSpans(outages, [...path, 'outages'], duration_s),
      ...findingIf(max <= min, [...path, 'placement', 'max_range_m'], text),
    ];
  });
}
