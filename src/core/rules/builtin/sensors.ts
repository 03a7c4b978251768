import type { Builtin } from '../evaluation.ts';

/**
 * Rule for sensors that report a fault, or from which nothing is received. Each sensor has an event of its own; see
 * lane.ts.
 */
export const sensorSilent: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.state === 'silent' || sensor.state === 'fault') hits.sensor(sensor);
  },
  say: ({ sensors, label }) => {
    const [sensor] = sensors;
    const why = sensor?.reason ? `: ${sensor.reason}` : '';
    return `${sensor?.name ?? label} is ${sensor?.state ?? 'silent'}${why}. It watches nothing now: check its power and its link.`;
  },
  evenCool: true,
  over: (label) => `${label} is no longer silent or at fault.`,
});

/** Rule for links on which a new source recently found no free place. The cause may be an attacker that invents sources. */
export const sensorTableFull: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.isFull) hits.sensor(sensor);
  },
  say: ({ label }) =>
    `Link ${label}: all places for unproven sources are taken, and new sources displace each other. Proven receivers keep their places. Find out who transmits on this link, and list your own sources in sources_allow.`,
  over: (label) => `Link ${label}: unproven sources are accepted again.`,
});
