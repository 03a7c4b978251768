import { requireMayStop } from '../command/authority.ts';
import { CommandPace } from '../command/commands/pace.ts';
import type { Engagement, Plan, PlanApproval, StopAll } from '../model/engagement.ts';
import { conflict, Fault, notFound, orNotFound } from '../model/fault.ts';
import { lapseApprovals, leastRole } from './approvals.ts';
import { requireAnother, requireControl, requireMay, requireMember, requirePerson } from './authority.ts';
import { deedOf, deedText, labelOf, planInLog } from './deeds.ts';
import type { Decider } from './deps.ts';
import { type Held, isAsked, planOf } from './held.ts';
import { brokenSeal } from './planner.ts';
import { hush, ofTrack, type Shared } from './shared.ts';
import { standsAgainst } from './standing.ts';

/** Greatest age of the picture that an approval may refer to, ms. */
const MOST_PICTURE_AGE_MS = 10_000;

export type Decision = { reason?: string | undefined; operator?: string | undefined };

/** Decisions of people: approve, reject, cancel, and stop all engagements. */
export class Decisions {
  readonly #shared: Shared;
  readonly #stops = new CommandPace();

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /**
   * Approves a plan. Sends the orders once the plan has all required approvals. Throws a `Fault` that explains why a
   * plan cannot be approved.
   */
  async approve(ask: PlanApproval, by: Decider): Promise<Engagement> {
    const { held, plan, isWhole } = this.#refusing(ask, by, () => this.#agree(ask, by));
    if (!isWhole) return held.engagement;
    return this.#shared.launcher.launch(held, plan, by.actor, ask.reason ?? null);
  }

  /**
   * Rejects a proposal. It is not repeated until the threat level rises, the affiliation changes, or a person requests
   * a plan.
   */
  reject(id: string, decision: Decision, by: Decider): Engagement {
    const held = this.#heldOf(id);
    if (!isAsked(held.engagement)) throw wrongState(held, 'reject the plans');
    return this.#end(held, 'rejected', decision, by);
  }

  /** Cancels an open engagement and its running tasks. */
  cancel(id: string, decision: Decision, by: Decider): Engagement {
    requireMayStop(by.actor, decision.operator, this.#shared.deps.control);
    return this.#end(this.#heldOf(id), 'cancelled', decision, by);
  }

  /**
   * Cancels all open engagements whose state is not `proposed`, stops automatic starts, and orders the vehicles to hold
   * (see `holdAll`). The audit row is written after the orders.
   */
  async stopAll(decision: Decision, by: Decider): Promise<StopAll> {
    const { deps, log, launcher, autonomy } = this.#shared;
    requireControl(deps.control);
    requireMayStop(by.actor, decision.operator, deps.control);
    this.#takeStop(by);
    const reason = decision.reason ?? 'a person stopped the running engagements and ordered all vehicles to hold';
    autonomy.fallBack();
    const open = log.allHeld().filter(({ engagement }) => engagement.state !== 'proposed');
    // The engagements end first, which stops pending launches. Then the vehicles get their orders. The audit row is
    // written last.
    const tasks = open.map((held) => launcher.liveTasks(held));
    const changes = open.map((held) => ({ held, to: this.#ended(held, 'cancelled', decision, by) }));
    log.follow('A stopped engagement', changes);
    for (const id of tasks.flat()) launcher.cancelTask(id, reason);
    for (const held of open) hush(this.#shared, held, true);
    const platforms = await deps.holdAll(by.actor, reason);
    const done = { engagements: open.length, tasks: tasks.flat().length, platforms };
    this.#noteStop(done, decision, by);
    return done;
  }

  /** Limits the rate of `stop_all` per sender, so that a sender who repeats it too often blocks nobody else. */
  #takeStop({ actor }: Decider): void {
    const [all, nowMs] = [{ id: 'all', name: 'the service' }, this.#shared.deps.nowMs()];
    this.#stops.require(actor, all, 'stop_all', 0, nowMs);
    this.#stops.count(actor, all, 'stop_all', nowMs);
  }

  #noteStop(done: StopAll, { operator, reason }: Decision, by: Decider): void {
    const { deps } = this.#shared;
    const holding = done.platforms.filter(({ held }) => held).length;
    const text = `${labelOf(by, operator)} stopped everything: plans cancelled: ${done.engagements}, vehicles that hold: ${holding}`;
    try {
      const after = { ...done, platforms: done.platforms.slice(0, 100) };
      const what = {
        kind: 'engagement.stop_all' as const,
        text,
        severity: 'warning',
        reason: reason ?? null,
        after,
      } as const;
      deps.ledger.vital(() => deps.ledger.note({ ...what, by: by.actor, workspaceId: deps.workspaceId }));
    } catch (thrown) {
      // The orders have been sent already, so the caller gets the result even if the audit row cannot be written.
      deps.trouble(thrown, 'The audit row of the stop was not written');
    }
  }

  /** Checks an approval and writes it. `isWhole` is true if the plan now has all required approvals. */
  #agree(ask: PlanApproval, by: Decider): { held: Held; plan: Plan; isWhole: boolean } {
    const { deps, log, known } = this.#shared;
    requireControl(deps.control);
    requirePerson(by);
    const held = this.#asked(ask);
    // A previous approver may have lost the role or the membership; this approval then becomes the first.
    lapseApprovals(this.#shared, held);
    const { engagement, basis } = held;
    const plan = planOf(held, ask.plan_id);
    if (!plan)
      throw conflict(
        `the plan ${ask.plan_id} is not among the plans proposed about ${basis.label}: read the engagement again`,
      );
    if (plan.hash !== ask.hash) throw conflict('the hash does not match the plan: read the plan again');
    const least = leastRole(deps, plan);
    requireMay(by, plan, least, deps.control, ask);
    requireMember(by, deps.roleOf, least, plan);
    this.#requireFreshPicture(ask);
    if (!isAsked(engagement)) throw wrongState(held, 'approve a plan');
    if (engagement.state === 'pending_approval' && engagement.chosen_plan_id !== plan.id)
      throw conflict(`another plan about ${basis.label} waits for its second approval`);
    requireAnother(by, engagement, plan);
    const against = brokenSeal(plan) ?? standsAgainst(known, held, plan);
    if (against !== null) throw conflict(against);
    const label = labelOf(by, ask.operator);
    const approvals = [...engagement.approvals, this.#approval(label, 'approved', ask, by)];
    const counted = approvals.filter(({ decision }) => decision === 'approved').length;
    const isWhole = counted >= plan.required_approvals;
    const state = isWhole ? 'approved' : 'pending_approval';
    const text = `${label} approved ${deedText(plan, basis.label)}${isWhole ? '' : ', which needs one more approval'}`;
    const after = { state, approvals: counted, ...planInLog(plan) };
    const content = { kind: 'plan.approved' as const, text, by: by.actor, reason: ask.reason ?? null, after };
    const deed = deedOf(held, deps.workspaceId, content, plan);
    const to = { state, chosen_plan_id: plan.id, approvals } as const;
    deps.ledger.vital(() => log.write('The approval', [{ held, to }], [], [deed]));
    return { held, plan, isWhole };
  }

  #requireFreshPicture({ seq, epoch: ofAsk }: Pick<PlanApproval, 'seq' | 'epoch'>): void {
    const epoch = ofAsk ?? null;
    const ageMs = this.#shared.deps.pictureSeqAgeMs(seq, epoch);
    if (ageMs !== null && ageMs <= MOST_PICTURE_AGE_MS) return;
    const picture = `the picture ${epoch === null ? seq : `${epoch}:${seq}`}`;
    const old = `${picture} is older than ${MOST_PICTURE_AGE_MS / 1_000} s`;
    const why = ageMs === null ? `${picture} is not one that was shown recently` : old;
    throw conflict(`${why}: decide again with the present picture`);
  }

  #approval(label: string, decision: 'approved' | 'rejected' | 'cancelled', { reason }: Decision, by: Decider) {
    const at = this.#shared.deps.ledger.nowText();
    return { by: label, user_id: by.userId, role: by.role, at, decision, reason: reason ?? null };
  }

  /**
   * Returns the open engagement that a request refers to. For an ended engagement, throws a `Fault` with its final
   * state.
   */
  #asked({ engagement_id, track_id, plan_id }: PlanApproval): Held {
    const { deps, log } = this.#shared;
    if (engagement_id !== undefined) return this.#heldOf(engagement_id);
    const held = track_id === undefined ? undefined : ofTrack(this.#shared, track_id);
    if (held) return held;
    const ended = log.all().find(({ candidates }) => candidates.some(({ id }) => id === plan_id));
    if (ended) throw conflict(endedAs(ended));
    if (track_id === undefined || !deps.track(track_id)) throw notFound(`there is no track with the id ${track_id}`);
    throw conflict('there is no open proposal about this track: request plans first');
  }

  #heldOf(id: string): Held {
    const { log } = this.#shared;
    const held = log.held(id);
    if (held) return held;
    const ended = orNotFound(log.get(id), `there is no engagement with the id ${id}`);
    throw conflict(endedAs(ended));
  }

  #end(held: Held, state: 'rejected' | 'cancelled', decision: Decision, by: Decider): Engagement {
    const { deps, log, launcher } = this.#shared;
    requireControl(deps.control);
    const label = labelOf(by, decision.operator);
    const what = state === 'rejected' ? 'the proposal about' : 'the engagement of';
    const kind = state === 'rejected' ? ('plan.rejected' as const) : ('plan.cancelled' as const);
    const text = `${label} ${state} ${what} ${held.basis.label}`;
    const decided = { kind, text, by: by.actor, reason: decision.reason ?? null, after: { state } };
    const deed = deedOf(held, deps.workspaceId, decided);
    const tasks = launcher.liveTasks(held);
    log.follow('The engagement', [{ held, to: this.#ended(held, state, decision, by) }], [deed]);
    for (const id of tasks) launcher.cancelTask(id, decision.reason ?? `${label} cancelled the engagement`);
    hush(this.#shared, held, true);
    // Read again from the log, because the end of the tasks changed the engagement.
    return log.get(held.engagement.id) ?? held.engagement;
  }

  #ended({ engagement }: Held, state: 'rejected' | 'cancelled', decision: Decision, by: Decider): Partial<Engagement> {
    const label = labelOf(by, decision.operator);
    const approvals = [...engagement.approvals, this.#approval(label, state, decision, by)];
    return { state, approvals, reason: decision.reason ?? `${label} ${state} the engagement` };
  }

  /** Runs `work`, and writes an audit row if it refuses the approval with `conflict` or `forbidden`. */
  #refusing<T>(ask: PlanApproval, by: Decider, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof Fault && (thrown.code === 'conflict' || thrown.code === 'forbidden'))
        this.#noteRefusal(ask, by, thrown.message);
      throw thrown;
    }
  }

  #noteRefusal(ask: PlanApproval, by: Decider, why: string): void {
    const { deps, log } = this.#shared;
    const held = ask.engagement_id === undefined ? undefined : log.held(ask.engagement_id);
    const label = held?.basis.label ?? deps.track(ask.track_id ?? '')?.number ?? 'a track';
    const text = `the approval of a plan about ${label} by ${labelOf(by, ask.operator)} was refused: ${why}`;
    deps.ledger.refuse({
      ...{ kind: 'plan.refused' as const, text, by: by.actor, workspaceId: deps.workspaceId, severity: 'notice' },
      subject: { type: 'plan', id: ask.plan_id, label },
      reason: ask.reason ?? null,
      correlationId: held?.engagement.id ?? null,
    });
  }
}

function wrongState({ engagement, basis }: Held, what: string): Fault {
  return conflict(
    `it is not possible to ${what} about ${basis.label}: the state of the engagement is ${engagement.state}`,
  );
}

function endedAs({ state, reason }: Engagement): string {
  return `the engagement is ${state}${reason === null ? '' : `: ${reason}`}`;
}
