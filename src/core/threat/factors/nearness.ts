import { fall } from '../ramp.ts';
import { heightAbove, metres } from '../words.ts';
import type { AreaFactor } from './factor.ts';

const proximity: AreaFactor = {
  id: 'proximity',
  unit: 'm',
  value: ({ distanceM }) => distanceM,
  most: ({ near }) => near,
  strength: 'most_at_height',
  text: ({ value, relation: standing }) =>
    value > 0 ? `It is ${metres(value)} from ${standing.name}.` : `It is over ${standing.name}.`,
};

const inside: AreaFactor = {
  id: 'inside',
  unit: 'm',
  value: ({ distanceM }) => distanceM,
  most: ({ there }) => there,
  strength: ({ inside }) => inside,
  text({ value, relation: { name, heightGapM } }) {
    if (value > 0) return `It is at the edge of ${name}, ${metres(value)} outside.`;
    if (heightGapM > 0) return `It is over ${name}, ${metres(heightGapM)} above its ceiling.`;
    if (heightGapM < 0) return `It is under ${name}, ${metres(-heightGapM)} below its floor.`;
    const unsure = Number.isNaN(heightGapM) ? '; its height is unknown' : '';
    return `It is in ${name}, ${metres(-value)} from the edge${unsure}.`;
  },
};

const lowAltitude: AreaFactor = {
  id: 'low_altitude',
  unit: 'm',
  value: (_relation, { heightM }) => heightM,
  most({ count, near }, { heightM }, curves, into) {
    const low = fall(heightM, curves.altitude_low_m, curves.altitude_high_m);
    if (low === 0) return null;
    for (let i = 0; i < count; i++) into[i] = low * (near[i] ?? 0);
    return into;
  },
  strength: 'most',
  text: ({ value, situation, relation: standing }) =>
    `It flies low, ${heightAbove(value, situation.heightAbove)}, near ${standing.name}: look towards the horizon.`,
};

export const nearnessFactors: readonly AreaFactor[] = [proximity, inside, lowAltitude];
