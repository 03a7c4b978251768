import type { AssessedThreat, TrackWord } from '../model/assessment.ts';
import { Fault } from '../model/fault.ts';
import type { RuleValue } from '../model/rule_value.ts';
import type { AssessPolicy, AssessSite } from './assess/briefed.ts';
import type { MergeOutcome, PersonsChange, ToCore } from './messages.ts';
import type { SensorFact } from './rules/facts.ts';
import type { SensorValue, TrackLife } from './settings.ts';

/** What a core is told, but for its end. */
export type Spoken = Exclude<ToCore, { kind: 'end' }>;

type Asked = { resolve(answer: never): void; reject(fault: Fault): void };

/** What a core is told and asked between its steps, whoever says when it steps and wherever it runs. */
export abstract class CoreSpeaker {
  readonly #nowMs: () => number;
  #askedId = 0;
  /** What was asked and is not answered yet, by the number of the question. */
  readonly #asked = new Map<number, Asked>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  protected abstract send(message: Spoken, transfer?: ArrayBuffer[]): void;
  /** Why nobody is there to answer; null where somebody is. */
  protected abstract deaf(): string | null;

  setSensors(sensors: readonly SensorValue[]): void {
    this.send({ kind: 'sensors', sensors });
  }

  /** From the next step on; a core that is started again must be begun with it. */
  setLife(life: TrackLife): void {
    this.send({ kind: 'life', life });
  }

  /**
   * Does to tracks what a person asked for; what it changed is told as output before this resolves. Rejects with a Fault
   * `unavailable` where the core died over it.
   */
  change(change: PersonsChange): Promise<MergeOutcome> {
    return this.#ask((id) => ({ kind: 'change', id, change, nowMs: this.#nowMs() }));
  }

  /** What tracks would score under another policy; of all where `numbers` is null. Rejects as `change` does. */
  preview(policy: AssessPolicy, numbers: readonly number[] | null): Promise<AssessedThreat[]> {
    return this.#ask((id) => ({ kind: 'preview', id, policy, numbers, nowMs: this.#nowMs() }));
  }

  setPolicy(policy: AssessPolicy): void {
    this.send({ kind: 'policy', policy });
  }

  setSite(site: AssessSite): void {
    this.send({ kind: 'site', site });
  }

  setRules(rules: readonly RuleValue[]): void {
    this.send({ kind: 'rules', rules });
  }

  setSensorStates(sensors: readonly SensorFact[]): void {
    this.send({ kind: 'sensor_states', sensors });
  }

  sayWords(words: readonly TrackWord[]): void {
    this.send({ kind: 'words', words });
  }

  #ask<T>(question: (id: number) => Spoken): Promise<T> {
    const why = this.deaf();
    if (why !== null) return Promise.reject(new Fault('unavailable', why));
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

  /** Whoever still waits for an answer gets none. */
  protected unanswered(fault: Fault): void {
    for (const { reject } of this.#asked.values()) reject(fault);
    this.#asked.clear();
  }
}
