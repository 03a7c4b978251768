import type { AutonomyView, Engagement, EngagementView, PlanApproval, StopAll } from '../model/engagement.ts';
import { conflict, notFound, orNotFound } from '../model/fault.ts';
import type { Autonomy } from '../model/posture.ts';
import { requireControl } from './authority.ts';
import { allowedAutonomy } from './autonomy.ts';
import { expire, superseded, withdraw } from './course.ts';
import { type Decision, Decisions } from './decisions.ts';
import { deedOf, labelOf, restartDeed } from './deeds.ts';
import type { Decider, EngagementDeps } from './deps.ts';
import { isAsked } from './held.ts';
import { Proposals } from './proposals.ts';
import { type RuleAsk, RuleAsks } from './rule_asks.ts';
import { ofTrack, type Shared, sharedOf } from './shared.ts';

/** Service for engagements: proposals about tracks, people's decisions about them, and their execution. */
export class Engagements {
  readonly #shared: Shared;
  readonly #decisions: Decisions;
  readonly #proposals: Proposals;
  readonly #ruleAsks: RuleAsks;
  #shown = '';

  constructor(deps: EngagementDeps) {
    this.#shared = sharedOf(deps);
    this.#decisions = new Decisions(this.#shared);
    this.#proposals = new Proposals(this.#shared);
    this.#ruleAsks = new RuleAsks(this.#shared, (held) => this.#proposals.publish(held));
  }

  /** Ends engagements that an earlier run left open, because the state of their vehicles is unknown. */
  begin(): void {
    const { deps, log } = this.#shared;
    const ended = { reason: 'the service was restarted', updated_at: deps.ledger.nowText() };
    log.begin(
      (row) => ({ ...row, ...ended, state: isAsked(row) ? 'expired' : 'failed' }),
      (rows) => restartDeed(rows, deps.workspaceId),
      deps.utcMs(),
    );
    log.prune();
  }

  view(): EngagementView {
    this.#notice();
    const { deps, log } = this.#shared;
    const { posture } = deps.policy().policy;
    return { posture, ...this.autonomy(), revision: log.revision, engagements: log.all() };
  }

  autonomy(): AutonomyView {
    return { autonomy: this.#shared.deps.policy().policy.autonomy, autonomy_effective: this.#effective() };
  }

  /** Returns the open engagements, which are part of the picture. Rows of ended engagements are published as events only. */
  open(): Engagement[] {
    return this.#shared.log.open();
  }

  /** Returns an engagement. Throws the `Fault` `not_found` if none has the id. */
  get(id: string): Engagement {
    return orNotFound(this.#shared.log.get(id), `there is no engagement with the id ${id}`);
  }

  /** Makes plans about a track on a person's request, at every level of autonomy. */
  propose(trackId: string, reason: string | null, by: Decider): Engagement {
    const { deps, log, proposer } = this.#shared;
    requireControl(deps.control);
    const track = deps.track(trackId);
    if (!track) throw notFound(`there is no track with the id ${trackId}`);
    const { number } = track;
    if (!proposer.isFresh(track)) {
      const { max_track_age_s: mostS } = deps.policy().policy.engagement;
      throw conflict(`no plan can be made about ${number}: it is lost, or was not received for more than ${mostS} s`);
    }
    const open = ofTrack(this.#shared, trackId);
    if (open && open.engagement.state !== 'proposed')
      throw conflict(
        `${number} already has an engagement in the state ${open.engagement.state}: reject or cancel it before you request plans`,
      );
    const threat = deps.threat(trackId);
    const one = proposer.caseOf(track, threat);
    if (!one) {
      const state = `its level is ${threat?.level ?? 'none'}, its affiliation ${track.affiliation}`;
      throw conflict(`the doctrine has no response to ${number} in the present posture: ${state}`);
    }
    if (!open && log.room < 1)
      throw conflict(`${log.open().length} engagements are open, which is the limit: reject or cancel one first`);
    const label = labelOf(by, undefined);
    const plans = proposer.plans([one], deps.fleet()).get(trackId) ?? [];
    const held = proposer.held(one, plans, { by: label, user_id: by.userId }, true);
    const text = `${label} requested plans about ${number}`;
    const deed = deedOf(held, deps.workspaceId, { kind: 'plan.requested', text, by: by.actor, reason });
    log.write('The engagement', open ? [superseded(open, 'a person requested new plans')] : [], [held], [deed]);
    this.#proposals.publish(held);
    return held.engagement;
  }

  /**
   * Accepts requests of rules for plans. If the autonomy permits proposals and a plan is possible, it is proposed
   * within a few seconds.
   */
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

  /**
   * Cancels all open engagements whose state is not `proposed`, and orders the vehicles to hold. Automatic starts stop
   * until a person confirms the autonomy again.
   */
  async stopAll(decision: Decision, by: Decider): Promise<StopAll> {
    const done = await this.#decisions.stopAll(decision, by);
    this.#notice();
    return done;
  }

  /** Confirms an autonomy level, which takes effect at once within the limits of decision config and doctrine. */
  confirmAutonomy(autonomy: Autonomy, reason: string, by: Decider): AutonomyView {
    const { deps, autonomy: confirmed } = this.#shared;
    const { policy, version } = deps.policy();
    const allowed = allowedAutonomy(policy, deps.doctrine().body);
    if (autonomy === 'observe_auto' && allowed !== 'observe_auto') {
      const sentence = `the decision config and the doctrine allow ${allowed}: observe_auto cannot be confirmed`;
      throw conflict(sentence);
    }
    const text = `${labelOf(by, undefined)} confirmed the autonomy ${autonomy}`;
    deps.ledger.note({
      ...{ kind: 'autonomy.confirmed', text, by: by.actor, reason, workspaceId: deps.workspaceId, severity: 'notice' },
      ...{ before: { autonomy_effective: this.#effective() }, after: { confirmed: autonomy }, policyVersion: version },
    });
    confirmed.confirm(autonomy);
    this.#notice();
    return this.autonomy();
  }

  /** Ends, withdraws and renews proposals. Call it once a second. */
  tick(): void {
    const { deps, log, quiet } = this.#shared;
    this.#notice();
    expire(this.#shared);
    withdraw(this.#shared);
    const effective = this.#effective();
    const mayPropose = deps.control.enabled && effective !== 'off';
    // Rules come before the service's own proposals, so that a proposal requested by a rule names the rule.
    this.#ruleAsks.tick(mayPropose);
    if (mayPropose) this.#proposals.renew(effective === 'observe_auto');
    log.publishProgress(deps.nowMs());
    log.sweep(deps.utcMs());
    quiet.keep((trackId) => deps.track(trackId) !== undefined);
  }

  #effective(): Autonomy {
    const { deps, autonomy } = this.#shared;
    return autonomy.effective(deps.policy().policy, deps.doctrine().body);
  }

  /** Publishes posture and autonomy as part of the picture if they changed. */
  #notice(): void {
    const { deps, log } = this.#shared;
    const { posture, autonomy } = deps.policy().policy;
    const effective = this.#effective();
    const now = `${posture} ${autonomy} ${effective}`;
    if (now === this.#shown) return;
    if (this.#shown !== '') log.revision++;
    this.#shown = now;
    deps.publish.autonomy(effective);
  }
}
