import type { Claims } from './claims.ts';
import type { MqttLogin } from './mqtt/session.ts';
import type { TlsMaterial } from './tls/credentials.ts';

export type Cancel = () => void;

/** Deadlines. A test or a simulated world brings its own; they must run on the same time as `nowMs`. */
export type Timers = { after(ms: number, act: () => void): Cancel };

/** Folders in which devices are looked up; a test brings its own tree. */
export type Roots = { sys: string; dev: string };

/** Dependencies of a link. */
export type Deps = {
  /** World milliseconds that never step backwards: deadlines and the back-off are measured on them. */
  nowMs(): number;
  claims: Claims;
  /** Uniform in [0, 1), for jitter. */
  random?(): number;
  timers?: Timers;
  roots?: Roots;
  /** Time after which a peer or device that does not take a write is cut off, ms; 5 s by default. */
  writeLimitMs?: number;
  /** Credentials for TLS, read at each opening; null for none. Throws a sentence where they cannot be used. */
  tls?(): TlsMaterial | null;
  /** Name and password for a broker, read at each opening; null for none. Throws a sentence where they cannot be used. */
  login?(): MqttLogin | null;
};

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** The dependencies with nothing left out. */
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
