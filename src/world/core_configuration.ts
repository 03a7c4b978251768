import { type AssessPolicy, type AssessSite, emptySite, firstPolicy } from '../core/assess/configuration.ts';
import { nobodysWord } from '../core/assess/watched.ts';
import type { CoreBeginning } from '../core/messages.ts';
import type { SensorFact } from '../core/rules/facts.ts';
import type { CoreHandle } from '../core/thread/handle.ts';
import type { Decision } from '../model/affiliation.ts';
import type { AssessedThreat, TrackWord } from '../model/assessment.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { RuleValue } from '../model/rule_value.ts';
import type { PictureState } from '../picture/picture.ts';

/**
 * The core that receives the configuration. A core that is restarting ignores changes, because it starts with the whole
 * configuration from `beginning`.
 */
type ConfiguredCore = Pick<CoreHandle, 'configure' | 'preview'>;

/**
 * Keeps the configuration of the core and sends each change to the core. The configuration contains the decision
 * policy, site, rules, sensor states, and facts about tracks such as their affiliation.
 */
export class CoreConfiguration {
  readonly #core: () => ConfiguredCore;
  readonly #picture: PictureState;
  #policy: AssessPolicy = firstPolicy;
  #site: AssessSite = emptySite;
  #rules: readonly RuleValue[] = [];
  #sensors: readonly SensorFact[] = [];
  readonly #words = new Map<number, TrackWord>();
  readonly #news = new Set<number>();
  #planned = false;

  constructor(core: () => ConfiguredCore, picture: PictureState) {
    this.#core = core;
    this.#picture = picture;
    picture.judged.add(({ number, decision }) => this.#decided(number, decision));
    picture.opened.add((number) => this.#say(number, {}));
    picture.byHand.changed.add(({ number, set }) => this.#say(number, { setAffiliation: set?.affiliation ?? null }));
    picture.threats.marked.add((trackId, { dismissed }) => {
      const number = picture.numberOf(trackId);
      if (number !== null) this.#say(number, { dismissed: dismissed !== null });
    });
  }

  get policy(): AssessPolicy {
    return this.#policy;
  }

  /** Assesses tracks under another policy; the policy in use stays. `numbers`: the tracks to assess; null for all. */
  preview(policy: DecisionPolicy, numbers: readonly number[] | null): Promise<readonly AssessedThreat[]> {
    return this.#core().preview({ policy, version: this.#policy.version }, numbers);
  }

  beginning(): CoreBeginning['assess'] {
    const words = [...this.#words.values()];
    return { policy: this.#policy, site: this.#site, words, rules: this.#rules, sensors: this.#sensors };
  }

  setPolicy(policy: AssessPolicy): void {
    this.#policy = policy;
    this.#core().configure({ kind: 'policy', policy });
  }

  /** Replaces the given parts of the site; the others stay. */
  setSite(site: Partial<AssessSite>): void {
    this.#site = { ...this.#site, ...site };
    this.#core().configure({ kind: 'site', site: this.#site });
  }

  get site(): AssessSite {
    return this.#site;
  }

  setRules(rules: readonly RuleValue[]): void {
    this.#rules = rules;
    this.#core().configure({ kind: 'rules', rules });
  }

  /** Sends the states of all sensors to the core if any of them changed since the last call. */
  setSensors(sensors: readonly SensorFact[]): void {
    const facts = sensors.map((sensor) => {
      const { id, name, state, reason = null, isFull = false } = sensor;
      return { id, name, state, reason, isFull };
    });
    if (JSON.stringify(facts) === JSON.stringify(this.#sensors)) return;
    this.#sensors = facts;
    this.#core().configure({ kind: 'sensor_states', sensors: facts });
  }

  #decided(number: number, { affiliation, affiliation_basis, asset_id, cloned }: Decision): void {
    const asset = asset_id === null ? null : { id: asset_id, name: this.#picture.assetName(asset_id) ?? 'an asset' };
    this.#say(number, { affiliation, affiliationBasis: affiliation_basis, asset, clonedOf: cloned });
  }

  visited(number: number, visits: number): void {
    this.#say(number, { visits });
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
    // A registry change can concern a thousand tracks. Their facts are collected until the next turn of the event loop,
    // and go to the core in one message.
    setImmediate(() => this.settle());
  }

  /** Sends pending facts about tracks (`TrackWord`) to the core now. */
  settle(): void {
    this.#planned = false;
    if (this.#news.size === 0) return;
    const words = [...this.#news].flatMap((number) => this.#words.get(number) ?? []);
    this.#news.clear();
    this.#core().configure({ kind: 'words', words });
  }
}
