import type { Claims } from './claims.ts';

export type Cancel = () => void;

/** Deadlines. A test or a simulated world brings its own; they must run on the same time as `nowMs`. */
export type Timers = { after(ms: number, act: () => void): Cancel };

/** Where devices are looked up; a test brings its own tree. */
export type Roots = { sys: string; dev: string };

/** What a link needs of the world around it. */
export type Rim = {
  /** World milliseconds that never step backwards: deadlines and the back-off are measured on them. */
  nowMs(): number;
  claims: Claims;
  /** Uniform in [0, 1), for jitter. */
  random?(): number;
  timers?: Timers;
  roots?: Roots;
};

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export const realRoots: Roots = { sys: '/sys', dev: '/dev' };

/** A rim with nothing left out. */
export type FullRim = Required<Rim>;

export function completeRim(rim: Rim): FullRim {
  return {
    nowMs: rim.nowMs,
    claims: rim.claims,
    random: rim.random ?? Math.random,
    timers: rim.timers ?? realTimers,
    roots: rim.roots ?? realRoots,
  };
}
