import { type Actor, actorLabel } from '../model/actor.ts';
import type { Deed } from '../store/ledger.ts';
import { deedOf } from './deeds.ts';
import type { Held } from './held.ts';
import type { Case } from './round.ts';
import { ofTrack, type Shared } from './shared.ts';

/**
 * Time for which a request waits for a possible plan, ms. A rule may also raise the threat level, which takes effect
 * one step of the core after its request.
 */
const WAIT_MS = 3_000;
/**
 * Greatest number of waiting requests. Further requests are dropped; the service may still propose plans about their
 * tracks by itself.
 */
const MOST_WAITING = 1_000;

/** Request of a rule for plans about the tracks of an event. */
export type RuleAsk = {
  /** Key of the event; unchanged while the event lasts. */
  key: string;
  /** True if the event is over. */
  ends: boolean;
  rule: { id: string; name: string };
  trackIds: readonly string[];
  /** Text of the rule's alert. */
  text: string;
};

type Waiting = Pick<RuleAsk, 'key' | 'rule' | 'text'> & { trackId: string; untilMs: number };

/**
 * Requests of rules for proposals. A rule gets plans only for tracks about which the service may also plan by itself,
 * because a rule is no person. Within an event, each track is requested once, when it joins the event. An engagement
 * that a person ended is thus not requested again by the same event.
 */
export class RuleAsks {
  readonly #shared: Shared;
  readonly #publish: (held: Held) => void;
  /** Ids of the tracks already requested, by event key. */
  readonly #asked = new Map<string, Set<string>>();
  #waiting: Waiting[] = [];

  constructor(shared: Shared, publish: (held: Held) => void) {
    this.#shared = shared;
    this.#publish = publish;
  }

  take({ key, ends, rule, trackIds, text }: RuleAsk): void {
    if (ends) {
      this.#asked.delete(key);
      this.#waiting = this.#waiting.filter((one) => one.key !== key);
      return;
    }
    const asked = this.#asked.get(key) ?? new Set();
    this.#asked.set(key, asked);
    const untilMs = this.#shared.deps.nowMs() + WAIT_MS;
    for (const trackId of trackIds) {
      if (asked.has(trackId)) continue;
      asked.add(trackId);
      // No plans are requested for a track with an open engagement, or while the waiting list is full. The track is in
      // `asked` already, so the same event requests none for it later.
      if (this.#waiting.length >= MOST_WAITING || ofTrack(this.#shared, trackId)) continue;
      this.#waiting.push({ key, rule, text, trackId, untilMs });
    }
  }

  /**
   * Proposes plans for waiting requests. Call it once a second. A request that cannot be met within a few seconds is
   * dropped.
   */
  tick(mayPropose: boolean): void {
    this.#forgetGone();
    if (!mayPropose) this.#waiting = [];
    if (this.#waiting.length === 0) return;
    const nowMs = this.#shared.deps.nowMs();
    // An open engagement is not replaced, whatever its origin.
    const waiting = this.#waiting.filter(({ trackId }) => ofTrack(this.#shared, trackId) === undefined);
    const answered = this.#propose(firstOfEach(waiting), nowMs);
    this.#waiting = waiting.filter(({ trackId, untilMs }) => nowMs < untilMs && !answered.has(trackId));
  }

  /**
   * Proposes plans for the waiting requests, and returns the ids of the tracks with a proposal. All are planned in one
   * round and written in one transaction.
   */
  #propose(asks: ReadonlyMap<string, Waiting>, nowMs: number): ReadonlySet<string> {
    const { deps, log, proposer, quiet } = this.#shared;
    const isWanted = ({ track, level }: Case): boolean =>
      asks.has(track.id) && !quiet.holds(track.id, { level, affiliation: track.affiliation }, nowMs);
    const cases = proposer.cases(log.allHeld(), isWanted).slice(0, Math.max(0, log.room));
    if (cases.length === 0) return new Set();
    const plans = proposer.plans(cases, deps.fleet());
    const made = cases.flatMap((one) => {
      const ask = asks.get(one.track.id);
      const drafts = plans.get(one.track.id) ?? [];
      if (!ask || drafts.length === 0) return [];
      const held = proposer.held(one, drafts, { by: actorLabel(actorOf(ask)), user_id: null });
      return [{ held, deed: this.#deedOf(held, ask) }];
    });
    const added = made.map(({ held }) => held);
    const deeds = made.map(({ deed }) => deed);
    try {
      log.write('The request of a rule for plans', [], added, deeds);
    } catch (thrown) {
      deps.trouble(thrown, 'The request of a rule for plans was not written');
      return new Set();
    }
    for (const held of added) this.#publish(held);
    return new Set(added.map(({ engagement }) => engagement.track_id));
  }

  #deedOf(held: Held, ask: Waiting): Deed {
    const by = actorOf(ask);
    const text = `${actorLabel(by)} requested plans about ${held.basis.label}`;
    const reason = `${ask.rule.name}: ${ask.text}`;
    return deedOf(held, this.#shared.deps.workspaceId, { kind: 'plan.requested', text, by, reason });
  }

  /**
   * Drops tracks that ended, and events without tracks. Needed because a restarted core never reports the end of
   * earlier events.
   */
  #forgetGone(): void {
    for (const [key, tracks] of this.#asked) {
      for (const id of tracks) if (!this.#shared.deps.track(id)) tracks.delete(id);
      if (tracks.size === 0) this.#asked.delete(key);
    }
  }
}

function actorOf({ rule: { id, name } }: Waiting): Actor {
  return { type: 'rule', id, name, address: null };
}

/** Returns the first request for each track, because several rules may request plans about one track. */
function firstOfEach(waiting: readonly Waiting[]): Map<string, Waiting> {
  const first = new Map<string, Waiting>();
  for (const one of waiting) if (!first.has(one.trackId)) first.set(one.trackId, one);
  return first;
}
