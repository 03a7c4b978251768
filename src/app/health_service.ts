import type { WatchedSensor } from '../edge/feed/sensor_document.ts';
import type { ClockState } from '../host/clock.ts';
import type { Health, HealthPart } from '../model/health.ts';
import type { Outlets } from '../outlet/outlets.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';

/** Limit of the sensors that the text names. */
const LISTED = 8;

/**
 * The part `sensors` of health. It is `up` when every sensor is received or may be silent. It is `down` when no sensor
 * that watches the sky is received and at least one of these is past its deadline. Sensors that are off do not count.
 */
export function sensorHealth(sensors: readonly WatchedSensor[]): HealthPart {
  const expected = sensors.filter(({ state }) => state !== 'off');
  const watchers = expected.filter(({ watchesSky }) => watchesSky);
  const missing = watchers.filter((sensor) => !isWell(sensor));
  const isDeaf = missing.length === watchers.length && missing.some(isLate);
  const isUp = expected.length > 0 && expected.every(({ state }) => state === 'operational');
  return {
    name: 'sensors',
    state: isDeaf ? 'down' : isUp ? 'up' : 'degraded',
    needed: true,
    text: expected.length === 0 ? noneText(sensors) : textOf(expected, watchers.length, missing),
  };
}

/** The part `links` of health. Without a link, declared sensors are still received over HTTP. */
function linkHealth(open: number, links: number, sensors: number): HealthPart {
  const part = { name: 'links', needed: false } as const;
  if (links > 0) return { ...part, state: open === links ? 'up' : 'degraded', text: `${open} of ${links} open` };
  const state = sensors > 0 ? 'up' : 'degraded';
  const rest = sensors > 0 ? 'reports come over HTTP alone' : 'nothing is received';
  return { ...part, state, text: `no link is configured: ${rest}` };
}

/** The part `outlets` of health; none while no outlet is enabled. */
function outletHealth(outlets: ReturnType<Outlets['running']>): HealthPart[] {
  const enabled = outlets.filter(({ spec }) => spec.enabled);
  if (enabled.length === 0) return [];
  const down = enabled.filter((outlet) => outlet.status().state !== 'open' || outlet.area.fault !== null);
  const text = `${enabled.length - down.length} of ${enabled.length} open`;
  const names = down.slice(0, LISTED).map(({ spec }) => spec.name);
  const state = down.length === 0 ? 'up' : 'degraded';
  return [
    { name: 'outlets', state, needed: false, text: names.length === 0 ? text : `${text}: not ${names.join(', ')}` },
  ];
}

function noneText({ length }: readonly WatchedSensor[]): string {
  return `${length === 0 ? 'no sensor is declared' : 'every sensor is off'}: nothing is received`;
}

const isLate = ({ state }: WatchedSensor): boolean => state === 'silent' || state === 'fault';

/** Whether a sensor is received, or is silent as an operator allowed. */
function isWell(sensor: WatchedSensor): boolean {
  return sensor.state === 'operational' || (sensor.isReceived && !isLate(sensor));
}

/**
 * Text of the part `sensors`. It counts and lists the missing sensors that watch the sky. Other sensors with a fault
 * follow after "Besides".
 */
function textOf(expected: readonly WatchedSensor[], watchers: number, missing: readonly WatchedSensor[]): string {
  const others = expected.filter((sensor) => sensor.state !== 'operational' && !missing.includes(sensor));
  const rest = others.length === 0 ? '' : listOf(others);
  if (missing.length === 0) return `${receivedText(expected)}${rest === '' ? '' : `: ${rest}`}`;
  const head = `${missing.length} of ${watchers} not received: ${listOf(missing)}`;
  return rest === '' ? head : `${head}. Besides: ${rest}`;
}

/** Names of sensors, those past their deadlines first. */
function listOf(sensors: readonly WatchedSensor[]): string {
  const sorted = [...sensors.filter(isLate), ...sensors.filter((sensor) => !isLate(sensor))];
  const more = sorted.length - LISTED;
  return [...sorted.slice(0, LISTED).map(sentenceOf), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function sentenceOf({ name, state, reason, deadlineInS }: WatchedSensor): string {
  const deadline = deadlineInS === null ? '' : `, deadline in ${deadlineInS} s`;
  return `${name} ${state}${reason ? `, ${reason}` : ''}${deadline}`;
}

/** Number of received sensors. An operational sensor that is not received is silent as allowed. */
function receivedText(expected: readonly WatchedSensor[]): string {
  const received = expected.filter(({ isReceived }) => isReceived).length;
  const quiet = expected.filter(({ state, isReceived }) => state === 'operational' && !isReceived).length;
  return `${received} of ${expected.length} received${quiet === 0 ? '' : `, ${quiet} silent as allowed`}`;
}

/** Time for which a restart of the core is shown, ms: the tracks are lost until they are received again. */
const RESTARTED_MS = 60_000;

/** Silence after which the core counts as dead, ms. */
const CORE_DEAD_MS = 5_000;

type HealthServiceDeps = {
  world: Pick<World, 'coreSilentMs' | 'links' | 'sensors' | 'restarted'>;
  outlets: Pick<Outlets, 'running'>;
  history: HistoryLog;
  nowMs(): number;
  clock(): Pick<ClockState, 'trust' | 'text' | 'fault'>;
  /** Reason why the state database is not used; null in normal operation. */
  recovery: string | null;
  /** Sentence about the disk of the state database; null while all is well. */
  stateTrouble(): string | null;
  /** Lateness of the event loop, ms; 0 while it turns in time. */
  lagMs(): number;
};

/**
 * Readiness of the box by part. A link that is down or a silent sensor is shown, but does not make the box unhealthy.
 * Only a box that receives none of its sensors that watch the sky is unhealthy. The service manager's watchdog ignores
 * this: a restart repairs no antenna.
 */
export class HealthService {
  readonly #deps: HealthServiceDeps;
  #restarted: { atMs: number; sentence: string } | null = null;

  constructor(deps: HealthServiceDeps) {
    this.#deps = deps;
    deps.world.restarted.add((sentence) => {
      this.#restarted = { atMs: deps.nowMs(), sentence };
    });
  }

  get(): Health {
    const { world, nowMs, recovery } = this.#deps;
    const sensors = world.sensors.watched(nowMs());
    const links = world.links.list();
    const open = links.filter((link) => link.status().state === 'open').length;
    const parts = [
      this.#core(),
      this.#history(),
      linkHealth(open, links.length, sensors.length),
      sensorHealth(sensors),
      ...outletHealth(this.#deps.outlets.running()),
      this.#clock(),
    ];
    if (recovery !== null) parts.push({ name: 'state', state: 'down', needed: true, text: recovery });
    parts.push(...this.#faults());
    return { healthy: parts.every((part) => !part.needed || part.state !== 'down'), parts };
  }

  /** Parts that are shown only while they are unwell. */
  #faults(): HealthPart[] {
    const trouble = this.#deps.stateTrouble();
    const lagMs = this.#deps.lagMs();
    const part = { state: 'degraded', needed: false } as const;
    const lagS = (lagMs / 1_000).toFixed(1);
    const lag = `the daemon runs up to ${lagS} s late: its processor or disk is overloaded; tracks and answers are late too`;
    return [
      ...(trouble === null ? [] : [{ name: 'state', ...part, text: trouble }]),
      ...(lagMs === 0 ? [] : [{ name: 'load', ...part, text: lag }]),
    ];
  }

  #core(): HealthPart {
    const silentMs = this.#deps.world.coreSilentMs();
    const part = { name: 'core', needed: true } as const;
    if (silentMs > CORE_DEAD_MS)
      return { ...part, state: 'down', text: `no answer for ${Math.round(silentMs / 1000)} s` };
    const { atMs, sentence } = this.#restarted ?? { atMs: Number.NEGATIVE_INFINITY, sentence: '' };
    if (this.#deps.nowMs() - atMs < RESTARTED_MS) return { ...part, state: 'degraded', text: sentence };
    return { ...part, state: 'up', text: 'answers' };
  }

  #clock(): HealthPart {
    const { trust, text, fault } = this.#deps.clock();
    const state = trust === 'none' || fault !== null ? 'degraded' : 'up';
    return { name: 'clock', state, needed: false, text: fault === null ? text : `${fault}; ${text}` };
  }

  #history(): HealthPart {
    const { state, text, note } = this.#deps.history.status();
    return {
      name: 'history',
      state: state === 'ok' ? 'up' : 'degraded',
      needed: false,
      text: text ?? note ?? 'writes',
    };
  }
}
