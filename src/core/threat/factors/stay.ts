import { fall, rise } from '../ramp.ts';
import { metres, seconds } from '../words.ts';
import type { AreaFactor } from './factor.ts';

const dwell: AreaFactor = {
  id: 'dwell',
  unit: 's',
  value: ({ dwellS }) => dwellS,
  most: ({ there }) => there,
  strength: ({ inside, dwellS }, { dwell_full_s: fullS }) => rise(dwellS, 0, fullS) * inside,
  text: ({ value, relation: standing }) => `It has stayed in ${standing.name} for ${seconds(value)}.`,
};

const loiter: AreaFactor = {
  id: 'loiter',
  unit: 's',
  value: (_relation, { loiterS }) => loiterS,
  most({ count, near }, { loiterS }, curves, into) {
    const loiters = rise(loiterS, curves.loiter_from_s, curves.loiter_full_s);
    if (loiters === 0) return null;
    for (let i = 0; i < count; i++) into[i] = loiters * (near[i] ?? 0);
    return into;
  },
  strength: 'most',
  text: ({ value, relation: standing }) => `It has hovered or circled near ${standing.name} for ${seconds(value)}.`,
};

const operatorNear: AreaFactor = {
  id: 'operator_near',
  unit: 'm',
  value: ({ operatorDistanceM }) => operatorDistanceM,
  most({ count, knowsPilot, operatorDistanceM }, _situation, { operator_near_m: nearM }, into) {
    if (!knowsPilot) return null;
    for (let i = 0; i < count; i++) into[i] = fall(operatorDistanceM[i] ?? Number.NaN, 0, nearM);
    return into;
  },
  strength: 'most',
  text: ({ value, relation: standing }) =>
    value > 0
      ? `The reported position of its pilot is ${metres(value)} from ${standing.name}: a person can go there.`
      : `The reported position of its pilot is in ${standing.name}: a person can go there.`,
};

export const stayFactors: readonly AreaFactor[] = [dwell, loiter, operatorNear];
