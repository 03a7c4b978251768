import type { WatchedSensor } from '../../edge/feed/sensor_document.ts';
import type { HealthPart } from '../../http/service.ts';

/** Sensors that the text names. */
const LISTED = 8;

/**
 * The part `sensors` of health: `degraded` while one of them is not received, `down` while none of those that watch the
 * sky is. Sensors that are off are not expected to be received.
 */
export function sensorHealth(sensors: readonly WatchedSensor[]): HealthPart {
  const expected = sensors.filter(({ state }) => state !== 'off');
  const deaf = expected.filter(({ state }) => state === 'silent' || state === 'fault');
  const watchers = expected.filter(({ watchesSky }) => watchesSky);
  const isDeaf = watchers.length > 0 && watchers.every((sensor) => deaf.includes(sensor));
  const isLess = deaf.length > 0 || expected.some(({ state }) => state === 'degraded');
  return {
    name: 'sensors',
    state: isDeaf ? 'down' : isLess ? 'degraded' : 'up',
    needed: true,
    text: textOf(expected, deaf),
  };
}

function textOf(expected: readonly WatchedSensor[], deaf: readonly WatchedSensor[]): string {
  if (expected.length === 0) return 'no sensor is declared';
  const degraded = expected.filter(({ state }) => state === 'degraded');
  const poor = [...deaf, ...degraded]
    .slice(0, LISTED)
    .map(({ name, state, reason }) => `${name} ${state}${reason ? `, ${reason}` : ''}`);
  const more = deaf.length + degraded.length - poor.length;
  const list = [...poor, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  const head = deaf.length === 0 ? receivedText(expected) : `${deaf.length} of ${expected.length} not received`;
  return list === '' ? head : `${head}: ${list}`;
}

/** A sensor that is operational and not received is one whose silence is allowed. */
function receivedText(expected: readonly WatchedSensor[]): string {
  const received = expected.filter(({ isReceived }) => isReceived).length;
  const quiet = expected.filter(({ state, isReceived }) => state === 'operational' && !isReceived).length;
  return `${received} of ${expected.length} received${quiet === 0 ? '' : `, ${quiet} silent as allowed`}`;
}
