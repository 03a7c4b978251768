import type { AssessedThreat } from '../../model/assessment.ts';
import { type Fault, unavailable } from '../../model/fault.ts';
import type { AssessPolicy } from '../assess/configuration.ts';
import { Core } from '../core.ts';
import type { CoreBeginning, CoreSetting, FromCore, MergeOutcome, PersonsChange, ToCore } from '../messages.ts';

/** Every message to a core except the one that ends it. */
export type CoreCall = Exclude<ToCore, { kind: 'end' }>;

type Asked = { resolve(answer: never): void; reject(fault: Fault): void };

/**
 * The world's side of the calls to its core. Subclasses decide in which thread the core runs, and what triggers its
 * steps.
 */
export abstract class CoreCaller {
  readonly #nowMs: () => number;
  #askedId = 0;
  /** Unanswered calls by their id. */
  readonly #asked = new Map<number, Asked>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  protected abstract send(call: CoreCall, transfer?: ArrayBuffer[]): void;
  /** Returns the reason why the core cannot answer at present; null if it can. */
  protected abstract deaf(): string | null;

  /** Changes a setting from the next step on. A restarted core begins with the changed setting. */
  configure(setting: CoreSetting): void {
    this.send(setting);
  }

  /**
   * Applies a person's change to tracks. The resulting changes of the picture are published before this resolves.
   * Rejects with a Fault `unavailable` if there is no core at present, or it dies during the call.
   */
  change(change: PersonsChange): Promise<MergeOutcome> {
    return this.#ask((id) => ({ kind: 'change', id, change, nowMs: this.#nowMs() }));
  }

  /**
   * Computes the threats of tracks under another policy; `numbers` null selects all tracks. Rejects as `change` does.
   */
  preview(policy: AssessPolicy, numbers: readonly number[] | null): Promise<AssessedThreat[]> {
    return this.#ask((id) => ({ kind: 'preview', id, policy, numbers, nowMs: this.#nowMs() }));
  }

  #ask<T>(question: (id: number) => CoreCall): Promise<T> {
    const why = this.deaf();
    if (why !== null) return Promise.reject(unavailable(why));
    const id = ++this.#askedId;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.send(question(id));
    });
  }

  protected answered<T>(id: number, answer: T): void {
    (this.#asked.get(id) as { resolve(answer: T): void } | undefined)?.resolve(answer);
    this.#asked.delete(id);
  }

  /** Rejects all calls that wait for an answer. */
  protected unanswered(fault: Fault): void {
    for (const { reject } of this.#asked.values()) reject(fault);
    this.#asked.clear();
  }
}

/**
 * The core's side of the calls, in whatever thread the core runs. `take` sends the answer, if any, before it returns.
 */
export class CoreHost {
  readonly #core: Core;
  readonly #answer: (message: FromCore, transfer: ArrayBuffer[]) => void;

  constructor(
    { settings, seed, lastNumber, sensors, restored, assess }: CoreBeginning,
    answer: (message: FromCore, transfer: ArrayBuffer[]) => void,
  ) {
    this.#core = new Core(settings, seed, lastNumber);
    this.#answer = answer;
    this.take({ kind: 'sensors', sensors });
    this.take({ kind: 'policy', policy: assess.policy });
    this.take({ kind: 'site', site: assess.site });
    this.take({ kind: 'words', words: assess.words });
    this.take({ kind: 'rules', rules: assess.rules });
    this.take({ kind: 'sensor_states', sensors: assess.sensors });
    this.#core.restore(restored);
  }

  take(call: CoreCall): void {
    const core = this.#core;
    const { assessor } = core;
    switch (call.kind) {
      case 'sensors':
        return void core.setSensors(call.sensors);
      case 'life':
        return void core.setLife(call.life);
      case 'policy':
        assessor.setPolicy(call.policy);
        return void core.setIdentityPolicy(call.policy.policy.identity);
      case 'site':
        return void assessor.setSite(call.site);
      case 'rules':
        return void assessor.rules.setRules(call.rules);
      case 'sensor_states':
        return void assessor.rules.setSensors(call.sensors);
      case 'words':
        return void assessor.receiveWords(call.words);
      case 'preview':
        return void this.#answer(
          { kind: 'previewed', id: call.id, threats: core.preview(call.policy, call.numbers, call.nowMs) },
          [],
        );
      case 'change':
        return void this.#change(call.id, call.change, call.nowMs);
      case 'step':
        return void this.#step(call);
    }
  }

  #change(id: number, change: PersonsChange, nowMs: number): void {
    const core = this.#core;
    const dropped = (): MergeOutcome => (core.drop(change.number) ? 'done' : 'not_there');
    const outcome = change.what === 'merge' ? core.merge(change.number, change.into) : dropped();
    const output = core.step({ rows: new Float64Array(0), dossiers: [] }, nowMs);
    this.#answer({ kind: 'changed', id, outcome, output }, []);
  }

  #step({ batch, nowMs }: Extract<CoreCall, { kind: 'step' }>): void {
    const begunMs = performance.now();
    const output = this.#core.step(batch, nowMs);
    const tookMs = performance.now() - begunMs;
    const { rows, received, assigned } = output;
    const transfer = [rows, received, assigned].map(({ buffer }) => buffer as ArrayBuffer);
    this.#answer({ kind: 'output', output, tookMs }, transfer);
  }
}
