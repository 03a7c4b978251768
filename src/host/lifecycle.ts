import { Fault, sentenceOf, unavailable } from '../model/fault.ts';
import type { Log } from './journal.ts';
import { realTimers, type Timers } from './timers.ts';

/** A part of the daemon that is started and stopped. */
export type Step = {
  /**
   * Ends when the part works. `signal` is aborted when the daemon is asked to stop meanwhile; a start that then ends, in
   * whatever way, is over. A start that throws has cleaned up after itself.
   */
  start(signal: AbortSignal): void | Promise<void>;
  stop?(): void | Promise<void>;
  /** Default 30 s. */
  startTimeoutMs?: number;
  /** Default 2 s. */
  stopTimeoutMs?: number;
};

export const STOP_BUDGET_MS = 8_000;
/** Part of the stop budget for a step that is still starting to notice the stop. */
const START_GRACE_MS = 3_000;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 2_000;

type Named = { name: string; step: Step };

export function createLifecycle(log: Log, timers: Timers = realTimers) {
  const steps: Named[] = [];
  const running: Named[] = [];
  const asked = new AbortController();
  let starting: Promise<'started' | 'stopped'> | null = null;
  let stopping: Promise<number> | null = null;
  let tearing: Promise<void> | null = null;
  let exitCode = 0;

  async function startAll(): Promise<'started' | 'stopped'> {
    for (const named of steps) {
      if (asked.signal.aborted) return 'stopped';
      try {
        await startStep(named);
      } catch (error) {
        // A start that was asked to give way may end as it likes.
        if (asked.signal.aborted) return 'stopped';
        exitCode = 1;
        await tearDown(timers.now() + STOP_BUDGET_MS);
        throw error;
      }
    }
    return asked.signal.aborted ? 'stopped' : 'started';
  }

  async function startStep(named: Named): Promise<void> {
    const { name, step } = named;
    const began = timers.now();
    // A step that starts after its timeout is stopped here, and nowhere else.
    const onLate = (outcome: 'done' | 'failed'): void => {
      if (outcome === 'done') void stopStep(named, STOP_TIMEOUT_MS);
    };
    try {
      await within(() => step.start(asked.signal), step.startTimeoutMs ?? START_TIMEOUT_MS, timers, onLate);
    } catch (error) {
      // A Fault's sentence is complete; any other error is a bug, and its stack matters.
      const where = error instanceof Fault ? {} : { err: error };
      log.error({ step: name, ms: since(began), ...where }, `${name} did not start: ${sentenceOf(error)}`);
      throw error;
    }
    log.debug({ step: name, ms: since(began) }, `${name} started`);
    // The stop may have ceased to wait for this step and gone past it.
    if (tearing === null) running.push(named);
    else await stopStep(named, STOP_TIMEOUT_MS);
  }

  function tearDown(deadline: number): Promise<void> {
    tearing ??= (async () => {
      for (let named = running.pop(); named !== undefined; named = running.pop()) {
        // A step without time left is still called, so the part before its first wait (closing a file) is done.
        const left = Math.max(0, deadline - timers.now());
        await stopStep(named, Math.min(named.step.stopTimeoutMs ?? STOP_TIMEOUT_MS, left));
      }
    })();
    return tearing;
  }

  async function stopStep({ name, step }: Named, timeoutMs: number): Promise<void> {
    const began = timers.now();
    try {
      await within(() => step.stop?.(), timeoutMs, timers);
      log.debug({ step: name, ms: since(began) }, `${name} stopped`);
    } catch (error) {
      exitCode = 1;
      log.error({ step: name, ms: since(began), err: error }, `${name} did not stop: ${sentenceOf(error)}`);
    }
  }

  function since(began: number): number {
    return Math.round(timers.now() - began);
  }

  return {
    /** Adds a step after the ones before it; all are added before `start`. */
    add(name: string, step: Step): void {
      if (starting !== null) throw new TypeError(`${name} was added after the start`);
      steps.push({ name, step });
    },
    /**
     * Starts the steps in order. Resolves with `stopped` where a stop came meanwhile. Where a step fails, those that had
     * started are stopped in reverse, and its error is thrown.
     */
    start(): Promise<'started' | 'stopped'> {
      starting ??= startAll();
      return starting;
    },
    /** Stops all started steps in reverse, within 8 s altogether; returns the exit code. Never rejects; later calls join the first. */
    stop(): Promise<number> {
      stopping ??= (async () => {
        const deadline = timers.now() + STOP_BUDGET_MS;
        asked.abort();
        const settled = (starting ?? Promise.resolve()).then(
          () => {},
          () => {},
        );
        await within(() => settled, START_GRACE_MS, timers).catch(() => {
          exitCode = 1;
          log.error('a step that was starting did not give way to the stop');
        });
        await tearDown(deadline);
        return exitCode;
      })();
      return stopping;
    },
  };
}

/**
 * Runs `work` and rejects with an `unavailable` Fault where it has not ended after `timeoutMs`. The work itself cannot
 * be stopped; `late` is called with its outcome.
 */
function within(
  work: () => void | Promise<void>,
  timeoutMs: number,
  timers: Timers,
  late: (outcome: 'done' | 'failed') => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const cancel = timers.after(timeoutMs, () => {
      over = true;
      reject(unavailable(`the step took longer than ${Math.round(timeoutMs)} ms`));
    });
    const end = (outcome: 'done' | 'failed', settle: () => void): void => {
      cancel();
      if (over) late(outcome);
      else settle();
    };
    // Deferring through a promise turns a synchronous throw into a rejection; the call itself is made at once.
    new Promise<void>((settle) => settle(work())).then(
      () => end('done', resolve),
      (error: unknown) => end('failed', () => reject(error)),
    );
  });
}
