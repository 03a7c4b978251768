import { Fault, sentenceOf, unavailable } from '../model/fault.ts';
import type { Log } from './journal.ts';
import { realTimers, type Timers } from './timers.ts';

/** A part of the daemon that is started and stopped. */
export type Step = {
  /**
   * Starts the part, and resolves when the part works. If the daemon is asked to stop during the start, `signal` is
   * aborted: an error is then ignored, and a part that has started is stopped. Before `start` throws, it must release
   * what it has opened.
   */
  start(signal: AbortSignal): void | Promise<void>;
  stop?(): void | Promise<void>;
  /** Time limit of the start, 30 s by default. */
  startTimeoutMs?: number;
  /** Time limit of the stop, 2 s by default. */
  stopTimeoutMs?: number;
};

export const STOP_BUDGET_MS = 8_000;
/** Part of the stop budget, ms, in which a step that is still starting can react to the stop. */
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
        // The result of a start does not matter once a stop was requested.
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
    // A step whose start succeeds after its timeout is not in `running`, so it is stopped here.
    const onLate = (outcome: 'done' | 'failed'): void => {
      if (outcome === 'done') void stopStep(named, STOP_TIMEOUT_MS);
    };
    try {
      await within(() => step.start(asked.signal), step.startTimeoutMs ?? START_TIMEOUT_MS, timers, onLate);
    } catch (error) {
      // The sentence of a Fault is complete. Any other error is a bug, so its stack is logged.
      const where = error instanceof Fault ? {} : { err: error };
      log.error({ step: name, ms: since(began), ...where }, `${name} did not start: ${sentenceOf(error)}`);
      throw error;
    }
    log.debug({ step: name, ms: since(began) }, `${name} started`);
    // If the tear-down has begun, it does not see this step any more, so the step is stopped here.
    if (tearing === null) running.push(named);
    else await stopStep(named, STOP_TIMEOUT_MS);
  }

  function tearDown(deadline: number): Promise<void> {
    tearing ??= (async () => {
      for (let named = running.pop(); named !== undefined; named = running.pop()) {
        // Call `stop` even if no time is left, so that its synchronous part, such as closing a file, is done.
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
    /** Adds a step after the previous ones. All steps must be added before `start`. */
    add(name: string, step: Step): void {
      if (starting !== null) throw new TypeError(`${name} was added after the start`);
      steps.push({ name, step });
    },
    /**
     * Starts the steps in order. Resolves with `stopped` if a stop was requested during the start. If a step fails,
     * stops the started steps in reverse order, and throws the error of the failed step.
     */
    start(): Promise<'started' | 'stopped'> {
      starting ??= startAll();
      return starting;
    },
    /**
     * Stops all started steps in reverse order, within 8 s altogether. Resolves with the exit code, and never rejects.
     * Later calls return the same promise.
     */
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
          log.error('a step of the start did not end within 3 s after the stop was requested');
        });
        await tearDown(deadline);
        return exitCode;
      })();
      return stopping;
    },
  };
}

/**
 * Runs `work`. Rejects with an `unavailable` Fault if the work has not ended after `timeoutMs`. The work then
 * continues, and `late` is called with its outcome.
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
    // The promise turns a synchronous throw into a rejection; `work` is called at once.
    new Promise<void>((settle) => settle(work())).then(
      () => end('done', resolve),
      (error: unknown) => end('failed', () => reject(error)),
    );
  });
}
