import type { WatchedSensor } from '../edge/feed/sensor_document.ts';
import type { ClockState } from '../host/clock.ts';
import type { Health, HealthPart } from '../model/health.ts';
import type { Outlets } from '../outlet/outlets.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';

/** Limit of the names in one list of sensors or outlets. */
const LISTED = 8;

/**
 * Returns the part `sensors` of health. It is `up` if there are sensors and all are operational. It is `down` if every
 * sensor that watches the sky fails, at least one by a fault or a missed silence deadline. Otherwise it is `degraded`.
 * Sensors that are off do not count.
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

/**
 * Returns the part `links` of health. Without any link, it is `up` if sensors are declared: they may report over HTTP.
 */
function linkHealth(open: number, links: number, sensors: number): HealthPart {
  const part = { name: 'links', needed: false } as const;
  if (links > 0) return { ...part, state: open === links ? 'up' : 'degraded', text: `${open} of ${links} open` };
  const state = sensors > 0 ? 'up' : 'degraded';
  const rest = sensors > 0 ? 'reports arrive only over HTTP' : 'nothing is received';
  return { ...part, state, text: `no link is configured: ${rest}` };
}

/** Returns the part `outlets` of health in an array; the array is empty if no outlet is enabled. */
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

/** Returns true if a sensor is operational, or is received and neither silent nor faulty. */
function isWell(sensor: WatchedSensor): boolean {
  return sensor.state === 'operational' || (sensor.isReceived && !isLate(sensor));
}

/**
 * Composes the text of the part `sensors`: number and names of the missing sensors that watch the sky. Other sensors
 * that are not operational follow after "Besides".
 */
function textOf(expected: readonly WatchedSensor[], watchers: number, missing: readonly WatchedSensor[]): string {
  const others = expected.filter((sensor) => sensor.state !== 'operational' && !missing.includes(sensor));
  const rest = others.length === 0 ? '' : listOf(others);
  if (missing.length === 0) return `${receivedText(expected)}${rest === '' ? '' : `: ${rest}`}`;
  const head = `${missing.length} of ${watchers} not received: ${listOf(missing)}`;
  return rest === '' ? head : `${head}. Besides: ${rest}`;
}

/** Lists sensors with state and reason. Sensors that are silent beyond their deadline or have a fault come first. */
function listOf(sensors: readonly WatchedSensor[]): string {
  const sorted = [...sensors.filter(isLate), ...sensors.filter((sensor) => !isLate(sensor))];
  const more = sorted.length - LISTED;
  return [...sorted.slice(0, LISTED).map(sentenceOf), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function sentenceOf({ name, state, reason, deadlineInS }: WatchedSensor): string {
  const deadline = deadlineInS === null ? '' : `, deadline in ${deadlineInS} s`;
  return `${name} ${state}${reason ? `, ${reason}` : ''}${deadline}`;
}

/**
 * Composes the text about the number of received sensors. A sensor that is operational but not received is silent with
 * the permission of an operator.
 */
function receivedText(expected: readonly WatchedSensor[]): string {
  const received = expected.filter(({ isReceived }) => isReceived).length;
  const quiet = expected.filter(({ state, isReceived }) => state === 'operational' && !isReceived).length;
  return `${received} of ${expected.length} received${quiet === 0 ? '' : `, ${quiet} silent as allowed`}`;
}

/**
 * Time for which a restart of the core is shown, ms. After a restart, tracks are lost until new observations arrive.
 */
const RESTARTED_MS = 60_000;

/** Silence after which the core counts as dead, ms. */
const CORE_DEAD_MS = 5_000;

type HealthServiceDeps = {
  world: Pick<World, 'coreSilentMs' | 'links' | 'sensors' | 'restarted'>;
  outlets: Pick<Outlets, 'running'>;
  history: HistoryLog;
  nowMs(): number;
  clock(): Pick<ClockState, 'trust' | 'text' | 'fault'>;
  /** Sentence with the reason why the state database cannot be used; null in normal operation. */
  recovery: string | null;
  /** Returns a sentence about a failing write of the state database; null if writes succeed. */
  stateTrouble(): string | null;
  /** Returns the lateness of the event loop, ms; 0 if the loop runs in time. */
  lagMs(): number;
};

/**
 * Health of the box by part. A closed link or a silent sensor is shown, but does not make the box unhealthy. The box is
 * unhealthy if a needed part is down: the core, the state database, or all sensors that watch the sky. The service
 * manager's watchdog does not use this health, because a restart repairs no antenna.
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

  /** Returns the parts that are shown only while they have a fault. */
  #faults(): HealthPart[] {
    const trouble = this.#deps.stateTrouble();
    const lagMs = this.#deps.lagMs();
    const part = { state: 'degraded', needed: false } as const;
    const lagS = (lagMs / 1_000).toFixed(1);
    const lag = `the daemon runs up to ${lagS} s late, so tracks and answers are late too: the processor or disk is overloaded`;
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
