import type { Claims } from './claims.ts';
import type { MqttLogin } from './mqtt/session.ts';
import type { TlsMaterial } from './tls/credentials.ts';

export type Cancel = () => void;

/** Timers of deadlines. A test or a simulated world supplies its own; they must use the same time as `nowMs`. */
export type Timers = { after(ms: number, act: () => void): Cancel };

/** Folders in which devices are looked up, normally `/sys` and `/dev`; a test supplies its own. */
export type Roots = { sys: string; dev: string };

/** Dependencies of a link. */
export type Deps = {
  /** World time in ms, which never steps backwards. Deadlines and back-off use it. */
  nowMs(): number;
  claims: Claims;
  /** Random number, uniform in [0, 1), for the jitter of the back-off. */
  random?(): number;
  timers?: Timers;
  roots?: Roots;
  /** Time after which the connection to a peer or device that accepts no bytes is closed, ms; 5,000 by default. */
  writeLimitMs?: number;
  /**
   * Returns the credentials for TLS; null for none. Called at each opening. Throws an Error with a sentence if
   * they cannot be used.
   */
  tls?(): TlsMaterial | null;
  /**
   * Returns user name and password for an MQTT broker; null for none. Called at each opening. Throws an Error with a
   * sentence if they cannot be used.
   */
  login?(): MqttLogin | null;
};

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Dependencies with all defaults filled in. */
export type FullDeps = Required<Deps>;

export function completeDeps(deps: Deps): FullDeps {
  return {
    random: Math.random,
    timers: realTimers,
    roots: { sys: '/sys', dev: '/dev' },
    writeLimitMs: 5_000,
    tls: () => null,
    login: () => null,
    ...deps,
  };
}
