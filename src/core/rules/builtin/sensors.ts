import type { Builtin } from '../evaluation.ts';

/** A sensor from which nothing is received. Each sensor is an event of its own: lane.ts never joins them. */
export const sensorSilent: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.state === 'silent' || sensor.state === 'fault') hits.sensor(sensor);
  },
  say: ({ sensors, label }) => {
    const [sensor] = sensors;
    const why = sensor?.reason ? `: ${sensor.reason}` : '';
    return `${sensor?.name ?? label} is ${sensor?.state ?? 'silent'}${why}. Its coverage is not watched: check its power and its link.`;
  },
  evenCool: true,
  over: (label) => `${label}: no longer silent or at fault.`,
});

/** A link with more sources than its table has rows: an attacker may be inventing sources. */
export const sensorTableFull: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.isFull) hits.sensor(sensor);
  },
  say: ({ label }) =>
    `Link ${label}: all places for unproven sources are taken, and new ones displace each other. Proven receivers keep theirs. Look who sends there, and name your own sources in sources_allow.`,
  over: (label) => `Link ${label}: unproven sources are accepted again.`,
});
