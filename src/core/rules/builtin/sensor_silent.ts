import type { Builtin } from '../look.ts';

const LISTED = 3;

export const sensorSilent: Builtin = () => ({
  find: ({ sensors }, hits) => {
    for (const sensor of sensors) if (sensor.state === 'silent' || sensor.state === 'fault') hits.sensor(sensor);
  },
  say: ({ sensors }) => {
    const names = sensors.slice(0, LISTED).map(({ name }) => name);
    const more = sensors.length - names.length;
    const list = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
    const [give, what] = sensors.length === 1 ? ['gives', 'its'] : ['give', 'their'];
    return `${list} ${give} no sign of life: the sky there is not watched. Look at ${what} power and ${what} link.`;
  },
  over: (label) => `${label}: alive again, or turned off.`,
});
