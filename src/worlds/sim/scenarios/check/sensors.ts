import type { ScenarioSpec } from '../../../../model/scenario.ts';
import type { Finding } from '../fault.ts';
import { checkSpans } from './actors.ts';

/** That each sensor sees anything at all. */
export function checkSensors({ sensors, duration_s }: ScenarioSpec): Finding[] {
  return sensors.flatMap(({ placement, outages }, index) => {
    const path = ['sensors', index];
    const found = checkSpans(outages, [...path, 'outages'], duration_s);
    const { min_range_m: min, max_range_m: max } = placement;
    if (max <= min)
      found.push({
        path: [...path, 'placement', 'max_range_m'],
        text: `must be more than min_range_m, which is ${min}`,
      });
    return found;
  });
}
