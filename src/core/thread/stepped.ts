import { type Fault, unavailable } from '../../model/fault.ts';
import type { Observation } from '../../model/observation.ts';
import type { CoreBeginning, FromCore } from '../messages.ts';
import { type CoreCall, CoreCaller } from './calls.ts';
import type { CoreEvents, CoreHandle } from './handle.ts';
import { type CorePlace, type CorePort, inItsThread } from './place.ts';
import { SentObservations } from './sent.ts';

type Answer = Exclude<FromCore, { kind: 'ready' }>;

/**
 * Handle of a core that steps only when `step` is called. The same observations at the same times give the same output
 * at any load of the machine. While the worker computes a step, its world may prepare the next. `deliver` publishes the
 * outcome of a step; call it at a fixed point of the run.
 */
export class CoreStepped extends CoreCaller implements CoreHandle {
  readonly #begin: () => CoreBeginning;
  readonly #events: CoreEvents;
  readonly #sent: SentObservations;
  readonly #place: CorePlace;
  #port: CorePort | null = null;
  #waiting: Observation[] = [];
  #arrived: Answer[] = [];
  #stepping: { resolve(): void; reject(fault: Fault): void } | null = null;
  #isHeld = false;
  readonly dropped = 0;

  constructor(
    begin: () => CoreBeginning,
    sensorIndex: (sensorId: string) => number,
    nowMs: () => number,
    events: CoreEvents,
    place: CorePlace = inItsThread,
  ) {
    super(nowMs);
    this.#place = place;
    this.#begin = begin;
    this.#events = events;
    this.#sent = new SentObservations(sensorIndex, (observation, number) => events.assigned(observation, number));
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const port: CorePort = this.#place(this.#begin(), {
        published: (message) => {
          if (message.kind === 'ready') resolve();
          else this.#take(message);
        },
        ended: (sentence) => {
          reject(unavailable(sentence));
          if (this.#port === port) this.#died(sentence);
        },
      });
      this.#port = port;
    });
  }

  async stop(): Promise<void> {
    const port = this.#port;
    this.#port = null;
    this.#giveUp('the world has stopped');
    await port?.stop();
  }

  /** Replaces the core by a new one, as after a failure. The new core begins with everything that `begin` returns. */
  async restart(sentence: string): Promise<void> {
    await this.stop();
    this.#arrived = [];
    this.#sent.lose();
    this.#events.restarted(sentence);
    await this.start();
  }

  push(observation: Observation): void {
    this.#waiting.push(observation);
  }

  /**
   * Sends up to `most` of the waiting observations. Resolves once the core has answered. Throws a TypeError while the
   * previous step is unanswered.
   */
  step(nowMs: number, most = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#stepping) throw new TypeError('the core has not answered the last step');
    if (!this.#port) return Promise.reject(unavailable('the core has ended'));
    const batch = this.#sent.pack(this.#waiting.splice(0, most));
    this.#isHeld = true;
    return new Promise((resolve, reject) => {
      this.#stepping = { resolve, reject };
      this.send({ kind: 'step', batch, nowMs }, [batch.rows.buffer as ArrayBuffer]);
    });
  }

  /** Publishes the outcome of the last step, and the other answers that came during it. */
  deliver(): void {
    this.#isHeld = false;
    for (const answer of this.#arrived.splice(0)) this.#publish(answer);
  }

  /** Always 0: the core answers only when it is stepped, so its silence does not mean a failure. */
  silentMs(): number {
    return 0;
  }

  protected deaf(): string | null {
    return this.#port ? null : 'the core has ended';
  }

  protected send(call: CoreCall, transfer: ArrayBuffer[] = []): void {
    this.#port?.send(call, transfer);
  }

  #take(answer: Answer): void {
    this.#arrived.push(answer);
    if (answer.kind === 'output') {
      this.#stepping?.resolve();
      this.#stepping = null;
    } else if (!this.#isHeld) this.deliver();
  }

  #publish(answer: Answer): void {
    if (answer.kind === 'output') this.#output(answer.output, answer.tookMs);
    else if (answer.kind === 'previewed') this.answered(answer.id, answer.threats);
    else {
      this.#output(answer.output, 0);
      this.answered(answer.id, answer.outcome);
    }
  }

  #output(output: Extract<Answer, { kind: 'output' }>['output'], tookMs: number): void {
    this.#events.output(output, tookMs);
    this.#sent.settle(output);
  }

  #died(sentence: string): void {
    this.#port = null;
    this.#giveUp(`the core failed: ${sentence}`);
    this.#events.failed(`the core failed: ${sentence}`);
  }

  #giveUp(sentence: string): void {
    const fault = unavailable(sentence);
    this.unanswered(fault);
    this.#stepping?.reject(fault);
    this.#stepping = null;
  }
}
