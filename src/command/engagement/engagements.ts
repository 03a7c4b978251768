import type { AutonomyView, Engagement, EngagementView, PlanApproval, StopAll } from '../../model/engagement.ts';
import { Fault } from '../../model/fault.ts';
import type { Autonomy } from '../../model/posture.ts';
import { requireControl } from './authority.ts';
import { allowedAutonomy } from './autonomy.ts';
import { expire, superseded, withdraw } from './course.ts';
import { type Decision, Decisions } from './decisions.ts';
import { deedOf, labelOf, restartDeed } from './deeds.ts';
import { isAsked } from './held.ts';
import { ofTrack, type Parts, partsOf } from './parts.ts';
import { Proposals } from './proposals.ts';
import type { Decider, EngagementRim } from './rim.ts';
import { type RuleAsk, RuleAsks } from './rule_asks.ts';

/** What may be done about tracks, what people decided of it, and what becomes of that. */
export class Engagements {
  readonly #parts: Parts;
  readonly #decisions: Decisions;
  readonly #proposals: Proposals;
  readonly #ruleAsks: RuleAsks;
  #shown = '';

  constructor(rim: EngagementRim) {
    this.#parts = partsOf(rim);
    this.#decisions = new Decisions(this.#parts);
    this.#proposals = new Proposals(this.#parts);
    this.#ruleAsks = new RuleAsks(this.#parts, (held) => this.#proposals.tell(held));
  }

  /** What an earlier run left open is over: nobody knows what its vehicles do. */
  begin(): void {
    const { rim, book } = this.#parts;
    const ended = { reason: 'the service was restarted', updated_at: rim.ledger.nowText() };
    book.begin(
      (row) => ({ ...row, ...ended, state: isAsked(row) ? 'expired' : 'failed' }),
      (rows) => restartDeed(rows, rim.workspaceId),
      rim.utcMs(),
    );
    book.prune();
  }

  view(): EngagementView {
    this.#notice();
    const { rim, book } = this.#parts;
    const { posture } = rim.policy().policy;
    return { posture, ...this.autonomy(), revision: book.revision, engagements: book.all() };
  }

  autonomy(): AutonomyView {
    return { autonomy: this.#parts.rim.policy().policy.autonomy, autonomy_effective: this.#effective() };
  }

  /** Those that the picture shows: the row that says of one that it is over is its last. */
  open(): Engagement[] {
    return this.#parts.book.open();
  }

  /** Throws `not_found`. */
  get(id: string): Engagement {
    const found = this.#parts.book.get(id);
    if (!found) throw new Fault('not_found', `there is no engagement with the id ${id}`);
    return found;
  }

  /** Makes plans about a track because a person asks, whatever autonomy says. */
  propose(trackId: string, reason: string | null, by: Decider): Engagement {
    const { rim, book, proposer } = this.#parts;
    requireControl(rim.control);
    const track = rim.track(trackId);
    if (!track) throw new Fault('not_found', `there is no track with the id ${trackId}`);
    const { number } = track;
    if (!proposer.isFresh(track))
      throw new Fault('conflict', `${number} was not heard lately: nothing can be planned about it`);
    const open = ofTrack(this.#parts, trackId);
    if (open && open.engagement.state !== 'proposed')
      throw new Fault('conflict', `a plan about ${number} is ${open.engagement.state} already`);
    const one = proposer.caseOf(track, rim.threat(trackId));
    if (!one) throw new Fault('conflict', `the doctrine offers nothing about ${number} as it is now`);
    if (!open && book.room < 1) throw new Fault('conflict', 'too many engagements are open');
    const label = labelOf(by, undefined);
    const plans = proposer.plans([one], rim.fleet()).get(trackId) ?? [];
    const held = proposer.held(one, plans, { by: label, user_id: by.userId }, true);
    const text = `${label} asked what may be done about ${number}`;
    const deed = deedOf(held, rim.workspaceId, { kind: 'plan.requested', text, by: by.actor, reason });
    book.write('The engagement', open ? [superseded(open, 'a person asked anew')] : [], [held], [deed]);
    this.#proposals.tell(held);
    return held.engagement;
  }

  /** What rules tell of that are to have plans proposed: with the next second, as far as anything can be proposed. */
  asked(asks: readonly RuleAsk[]): void {
    for (const ask of asks) this.#ruleAsks.take(ask);
  }

  approve(ask: PlanApproval, by: Decider): Promise<Engagement> {
    return this.#decisions.approve(ask, by);
  }

  reject(id: string, decision: Decision, by: Decider): Engagement {
    return this.#decisions.reject(id, decision, by);
  }

  cancel(id: string, decision: Decision, by: Decider): Engagement {
    return this.#decisions.cancel(id, decision, by);
  }

  /** Nothing starts by itself any more until somebody confirms it anew. */
  async stopAll(decision: Decision, by: Decider): Promise<StopAll> {
    const done = await this.#decisions.stopAll(decision, by);
    this.#notice();
    return done;
  }

  /** How much may start by itself from now on, within what the decision config and the doctrine allow. */
  confirmAutonomy(autonomy: Autonomy, reason: string, by: Decider): AutonomyView {
    const { rim, autonomy: confirmed } = this.#parts;
    const { policy, version } = rim.policy();
    const allowed = allowedAutonomy(policy, rim.doctrine().body);
    if (autonomy === 'observe_auto' && allowed !== 'observe_auto') {
      const sentence = `the decision config and the doctrine allow ${allowed}: observe_auto cannot be confirmed`;
      throw new Fault('conflict', sentence);
    }
    const text = `${labelOf(by, undefined)} confirmed the autonomy ${autonomy}`;
    rim.ledger.note({
      ...{ kind: 'autonomy.confirmed', text, by: by.actor, reason, workspaceId: rim.workspaceId, severity: 'notice' },
      ...{ before: { autonomy_effective: this.#effective() }, after: { confirmed: autonomy }, policyVersion: version },
    });
    confirmed.confirm(autonomy);
    this.#notice();
    return this.autonomy();
  }

  /** What time brings: once a second. */
  tick(): void {
    const { rim, book, quiet } = this.#parts;
    this.#notice();
    expire(this.#parts);
    withdraw(this.#parts);
    const effective = this.#effective();
    const mayPropose = rim.control.enabled && effective !== 'off';
    // Before what the service proposes by itself: what a rule asked for is to say so.
    this.#ruleAsks.tick(mayPropose);
    if (mayPropose) this.#proposals.renew(effective === 'observe_auto');
    book.publishProgress(rim.nowMs());
    book.sweep(rim.utcMs());
    quiet.keep((trackId) => rim.track(trackId) !== undefined);
  }

  #effective(): Autonomy {
    const { rim, autonomy } = this.#parts;
    return autonomy.effective(rim.policy().policy, rim.doctrine().body);
  }

  /** Posture and autonomy are part of what is shown. */
  #notice(): void {
    const { rim, book } = this.#parts;
    const { posture, autonomy } = rim.policy().policy;
    const effective = this.#effective();
    const now = `${posture} ${autonomy} ${effective}`;
    if (now === this.#shown) return;
    if (this.#shown !== '') book.revision++;
    this.#shown = now;
    rim.tell.autonomy(effective);
  }
}
