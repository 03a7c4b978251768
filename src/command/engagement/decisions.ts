import type { Engagement, Plan, PlanApproval, StopAll } from '../../model/engagement.ts';
import { Fault } from '../../model/fault.ts';
import { requireMayStop } from '../control/authority.ts';
import { CommandPace } from '../control/pace.ts';
import { lapseApprovals, leastRole } from './approvals.ts';
import { requireAnother, requireControl, requireMay, requireMember, requirePerson } from './authority.ts';
import { deedOf, deedText, labelOf, planInLog } from './deeds.ts';
import { type Held, isAsked, planOf } from './held.ts';
import { hush, ofTrack, type Parts } from './parts.ts';
import { brokenSeal } from './planner.ts';
import type { Decider } from './rim.ts';
import { standsAgainst } from './standing.ts';

/** A picture that shows what held longer ago is no ground to approve on. */
const MOST_PICTURE_AGE_MS = 10_000;

export type Decision = { reason?: string | undefined; operator?: string | undefined };

/** What people say to what is proposed: yes, no, not any more, and stop everything. */
export class Decisions {
  readonly #parts: Parts;
  readonly #stops = new CommandPace();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Approves a plan; once all have who must, it is sent. A Fault says what stands against it. */
  async approve(ask: PlanApproval, by: Decider): Promise<Engagement> {
    const { held, plan, isWhole } = this.#refusing(ask, by, () => this.#agree(ask, by));
    if (!isWhole) return held.engagement;
    return this.#parts.launcher.launch(held, plan, by.actor, ask.reason ?? null);
  }

  /** Says no to what is proposed. It is not proposed again until it matters more, or a person asks. */
  reject(id: string, decision: Decision, by: Decider): Engagement {
    const held = this.#heldOf(id);
    if (!isAsked(held.engagement)) throw wrongState(held, 'reject');
    return this.#end(held, 'rejected', decision, by);
  }

  /** Takes back what was approved, and what of it runs. */
  cancel(id: string, decision: Decision, by: Decider): Engagement {
    requireMayStop(by.actor, decision.operator, this.#parts.rim.control);
    return this.#end(this.#heldOf(id), 'cancelled', decision, by);
  }

  /** Cancels everything and holds every platform. What is safer comes before what is written. */
  async stopAll(decision: Decision, by: Decider): Promise<StopAll> {
    const { rim, book, launcher, autonomy } = this.#parts;
    requireControl(rim.control);
    requireMayStop(by.actor, decision.operator, rim.control);
    this.#takeStop(by);
    const reason = decision.reason ?? 'everything was stopped';
    autonomy.fallBack();
    const open = book.allHeld().filter(({ engagement }) => engagement.state !== 'proposed');
    // First of all nobody who is about to send goes on; then the vehicles; the disk is asked last.
    const tasks = open.map((held) => launcher.liveTasks(held));
    const changes = open.map((held) => ({ held, to: this.#ended(held, 'cancelled', decision, by) }));
    book.follow('The engagements', changes);
    for (const id of tasks.flat()) launcher.cancelTask(id, reason);
    for (const held of open) hush(this.#parts, held, true);
    const platforms = await rim.holdAll(by.actor, reason);
    const done = { engagements: open.length, tasks: tasks.flat().length, platforms };
    this.#noteStop(done, decision, by);
    return done;
  }

  /** What one sender asks too often keeps no other from stopping everything. */
  #takeStop({ actor }: Decider): void {
    const [all, nowMs] = [{ id: 'all', name: 'the service' }, this.#parts.rim.nowMs()];
    this.#stops.require(actor, all, 'stop_all', 0, nowMs);
    this.#stops.count(actor, all, 'stop_all', nowMs);
  }

  #noteStop(done: StopAll, { operator, reason }: Decision, by: Decider): void {
    const { rim } = this.#parts;
    const holding = done.platforms.filter(({ held }) => held).length;
    const text = `${labelOf(by, operator)} stopped everything: ${done.engagements} engagements, ${holding} platforms hold`;
    try {
      const row = {
        ...{
          kind: 'engagement.stop_all',
          text,
          by: by.actor,
          workspaceId: rim.workspaceId,
          severity: 'warning' as const,
        },
        after: { ...done, platforms: done.platforms.slice(0, 100) },
        reason: reason ?? null,
      };
      rim.ledger.vital(() => rim.ledger.note(row));
    } catch (thrown) {
      // It was done: whoever asked for it is told so.
      rim.trouble(thrown, 'That everything was stopped');
    }
  }

  /** Checks everything that can be, and writes the approval. */
  #agree(ask: PlanApproval, by: Decider): { held: Held; plan: Plan; isWhole: boolean } {
    const { rim, book, known } = this.#parts;
    requireControl(rim.control);
    requirePerson(by);
    const held = this.#asked(ask);
    // The people who approved before may have been removed meanwhile: this approval is then the first again.
    lapseApprovals(this.#parts, held);
    const { engagement, basis } = held;
    const plan = planOf(held, ask.plan_id);
    if (!plan) throw new Fault('conflict', `the plan ${ask.plan_id} is none of those proposed about ${basis.label}`);
    if (plan.hash !== ask.hash) throw new Fault('conflict', 'the hash is not that of the plan: read it anew');
    const least = leastRole(rim, plan);
    requireMay(by, plan, least, rim.control, ask);
    requireMember(by, rim.roleOf, least, plan);
    this.#requireFreshPicture(ask);
    if (!isAsked(engagement)) throw wrongState(held, 'approve');
    if (engagement.state === 'pending_approval' && engagement.chosen_plan_id !== plan.id)
      throw new Fault('conflict', `another plan about ${basis.label} waits for its second approval`);
    requireAnother(by, engagement, plan);
    const against = brokenSeal(plan) ?? standsAgainst(known, held, plan);
    if (against !== null) throw new Fault('conflict', against);
    const label = labelOf(by, ask.operator);
    const approvals = [...engagement.approvals, this.#approval(label, 'approved', ask, by)];
    const counted = approvals.filter(({ decision }) => decision === 'approved').length;
    const isWhole = counted >= plan.required_approvals;
    const state = isWhole ? 'approved' : 'pending_approval';
    const text = `${label} approved ${deedText(plan, basis.label)}${isWhole ? '' : ', which takes one more approval'}`;
    const after = { state, approvals: counted, ...planInLog(plan) };
    const told = { kind: 'plan.approved', text, by: by.actor, reason: ask.reason ?? null, after };
    const deed = deedOf(held, rim.workspaceId, told, plan);
    book.write('The approval', [{ held, to: { state, chosen_plan_id: plan.id, approvals } }], [], [deed]);
    return { held, plan, isWhole };
  }

  #requireFreshPicture({ seq, epoch: ofAsk }: Pick<PlanApproval, 'seq' | 'epoch'>): void {
    const epoch = ofAsk ?? null;
    const ageMs = this.#parts.rim.pictureSeqAgeMs(seq, epoch);
    if (ageMs !== null && ageMs <= MOST_PICTURE_AGE_MS) return;
    const picture = epoch === null ? seq : `${epoch}:${seq}`;
    if (ageMs === null)
      throw new Fault('conflict', `the picture ${picture} is none that was shown of late: look at what holds now`);
    const most = MOST_PICTURE_AGE_MS / 1_000;
    throw new Fault('conflict', `what the picture ${picture} shows is older than ${most} s: look at what holds now`);
  }

  #approval(label: string, decision: 'approved' | 'rejected' | 'cancelled', { reason }: Decision, by: Decider) {
    const at = this.#parts.rim.ledger.nowText();
    return { by: label, user_id: by.userId, role: by.role, at, decision, reason: reason ?? null };
  }

  /** The engagement that is meant; one that ended is refused with what it ended as. */
  #asked({ engagement_id, track_id, plan_id }: PlanApproval): Held {
    const { rim, book } = this.#parts;
    if (engagement_id !== undefined) return this.#heldOf(engagement_id);
    const held = track_id === undefined ? undefined : ofTrack(this.#parts, track_id);
    if (held) return held;
    const ended = book.all().find(({ candidates }) => candidates.some(({ id }) => id === plan_id));
    if (ended) throw new Fault('conflict', endedAs(ended));
    if (track_id === undefined || !rim.track(track_id))
      throw new Fault('not_found', `there is no track with the id ${track_id}`);
    throw new Fault('conflict', 'nothing is proposed about this track');
  }

  #heldOf(id: string): Held {
    const { book } = this.#parts;
    const held = book.held(id);
    if (held) return held;
    const ended = book.get(id);
    if (!ended) throw new Fault('not_found', `there is no engagement with the id ${id}`);
    throw new Fault('conflict', endedAs(ended));
  }

  #end(held: Held, state: 'rejected' | 'cancelled', decision: Decision, by: Decider): Engagement {
    const { rim, book, launcher } = this.#parts;
    requireControl(rim.control);
    const label = labelOf(by, decision.operator);
    const what = state === 'rejected' ? 'what was proposed about' : 'the engagement of';
    const kind = state === 'rejected' ? 'plan.rejected' : 'plan.cancelled';
    const text = `${label} ${state} ${what} ${held.basis.label}`;
    const told = { kind, text, by: by.actor, reason: decision.reason ?? null, after: { state } };
    const deed = deedOf(held, rim.workspaceId, told);
    const tasks = launcher.liveTasks(held);
    book.follow('The engagement', [{ held, to: this.#ended(held, state, decision, by) }], [deed]);
    for (const id of tasks) launcher.cancelTask(id, decision.reason ?? `${label} cancelled it`);
    hush(this.#parts, held, true);
    // With what the end of its tasks made of it.
    return book.get(held.engagement.id) ?? held.engagement;
  }

  #ended({ engagement }: Held, state: 'rejected' | 'cancelled', decision: Decision, by: Decider): Partial<Engagement> {
    const label = labelOf(by, decision.operator);
    const approvals = [...engagement.approvals, this.#approval(label, state, decision, by)];
    return { state, approvals, reason: decision.reason ?? `${label} ${state} it` };
  }

  /** Whoever is refused leaves a row of it. */
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
    const { rim, book } = this.#parts;
    const held = ask.engagement_id === undefined ? undefined : book.held(ask.engagement_id);
    const label = held?.basis.label ?? rim.track(ask.track_id ?? '')?.number ?? 'a track';
    const text = `${labelOf(by, ask.operator)} may not approve a plan about ${label}: ${why}`;
    rim.ledger.note({
      ...{ kind: 'plan.refused', text, by: by.actor, workspaceId: rim.workspaceId, severity: 'notice' },
      subject: { type: 'plan', id: ask.plan_id, label },
      reason: ask.reason ?? null,
      correlationId: held?.engagement.id ?? null,
    });
  }
}

function wrongState({ engagement, basis }: Held, what: string): Fault {
  return new Fault('conflict', `there is nothing to ${what}: the engagement of ${basis.label} is ${engagement.state}`);
}

function endedAs({ state, reason }: Engagement): string {
  return `the engagement is ${state}${reason === null ? '' : `: ${reason}`}`;
}
