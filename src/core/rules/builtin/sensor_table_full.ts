import type { Builtin } from '../look.ts';

/** A link on which more sources speak than have places: somebody may be inventing them. */
export const sensorTableFull: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.isFull) hits.sensor(sensor);
  },
  say: ({ label }) =>
    `Link ${label}: all places for unproven sources are taken, and new ones displace each other. Proven receivers keep theirs. Look who sends there, and name your own sources in sources_allow.`,
  over: (label) => `Link ${label}: there are places for unproven sources again.`,
});
