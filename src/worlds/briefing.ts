import { type AssessPolicy, type AssessSite, emptySite, firstPolicy } from '../core/assess/briefed.ts';
import { nobodysWord } from '../core/assess/watched.ts';
import type { CoreBeginning } from '../core/messages.ts';
import type { SensorFact } from '../core/rules/facts.ts';
import type { Decision } from '../model/affiliation.ts';
import type { TrackWord } from '../model/assessment.ts';
import type { RuleValue } from '../model/rule_value.ts';

/** Who is told; a core that is being started again hears nothing, and is begun with everything. */
export type Briefed = {
  setPolicy(policy: AssessPolicy): void;
  setSite(site: AssessSite): void;
  setRules(rules: readonly RuleValue[]): void;
  setSensorStates(sensors: readonly SensorFact[]): void;
  sayWords(words: readonly TrackWord[]): void;
};

/** What the core is told of what people decided, what the site is, and who tracks are. */
export class Briefing {
  readonly #core: () => Briefed;
  readonly #assetName: (id: string) => string | null;
  #policy: AssessPolicy = firstPolicy;
  #site: AssessSite = emptySite;
  #rules: readonly RuleValue[] = [];
  #sensors: readonly SensorFact[] = [];
  readonly #words = new Map<number, TrackWord>();
  readonly #news = new Set<number>();
  #planned = false;

  constructor(core: () => Briefed, assetName: (id: string) => string | null) {
    this.#core = core;
    this.#assetName = assetName;
  }

  get policy(): AssessPolicy {
    return this.#policy;
  }

  beginning(): CoreBeginning['assess'] {
    return {
      policy: this.#policy,
      site: this.#site,
      words: [...this.#words.values()],
      rules: this.#rules,
      sensors: this.#sensors,
    };
  }

  setPolicy(policy: AssessPolicy): void {
    this.#policy = policy;
    this.#core().setPolicy(policy);
  }

  /** What of the site is another now; the rest stays. */
  setSite(site: Partial<AssessSite>): void {
    this.#site = { ...this.#site, ...site };
    this.#core().setSite(this.#site);
  }

  get site(): AssessSite {
    return this.#site;
  }

  setRules(rules: readonly RuleValue[]): void {
    this.#rules = rules;
    this.#core().setRules(rules);
  }

  /** Told where one of them is another than before. */
  setSensors(sensors: readonly SensorFact[]): void {
    const told = sensors.map(({ id, name, state, reason = null, isFull = false }) => ({
      id,
      name,
      state,
      reason,
      isFull,
    }));
    if (JSON.stringify(told) === JSON.stringify(this.#sensors)) return;
    this.#sensors = told;
    this.#core().setSensorStates(told);
  }

  /** Who a track is. */
  decided(number: number, { affiliation, affiliation_basis, asset_id, cloned }: Decision): void {
    const asset = asset_id === null ? null : { id: asset_id, name: this.#assetName(asset_id) ?? 'an asset' };
    this.#say(number, { affiliation, affiliationBasis: affiliation_basis, asset, clonedOf: cloned });
  }

  visited(number: number, visits: number): void {
    this.#say(number, { visits });
  }

  dismissed(number: number, dismissed: boolean): void {
    this.#say(number, { dismissed });
  }

  forget(number: number): void {
    this.#words.delete(number);
    this.#news.delete(number);
  }

  #say(number: number, fields: Partial<TrackWord>): void {
    this.#words.set(number, { ...(this.#words.get(number) ?? nobodysWord(number)), ...fields });
    this.#news.add(number);
    if (this.#planned) return;
    this.#planned = true;
    // What a change of the registry says of a thousand tracks is one message.
    setImmediate(() => this.settle());
  }

  /** What is to be said is said now. */
  settle(): void {
    this.#planned = false;
    if (this.#news.size === 0) return;
    const words = [...this.#news].flatMap((told) => this.#words.get(told) ?? []);
    this.#news.clear();
    this.#core().sayWords(words);
  }
}
