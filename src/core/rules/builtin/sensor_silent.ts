import type { Builtin } from '../look.ts';

/** A sensor of which nothing is received. Each is one event: the episodes of sensors are never joined (lane.ts). */
export const sensorSilent: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.state === 'silent' || sensor.state === 'fault') hits.sensor(sensor);
  },
  say: ({ sensors, label }) => {
    const [sensor] = sensors;
    const why = sensor?.reason ? `: ${sensor.reason}` : '';
    return `${sensor?.name ?? label} is ${sensor?.state ?? 'silent'}${why}. What it covers is not watched: look at its power and its link.`;
  },
  evenCool: true,
  over: (label) => `${label}: neither silent nor in fault any more, turned off or removed.`,
});
