import { systemActor } from '../../model/actor.ts';
import type { AutonomyView, Engagement, EngagementView, Plan, PlanApproval, StopAll } from '../../model/engagement.ts';
import { Fault } from '../../model/fault.ts';
import type { Autonomy } from '../../model/posture.ts';
import { engagementRows } from '../../store/engagements.ts';
import type { Deed } from '../../store/ledger.ts';
import { isAnother } from './another.ts';
import { requireAnother, requireControl, requireMay, requirePerson } from './authority.ts';
import { allowedAutonomy, ConfirmedAutonomy, isAutomatic } from './autonomy.ts';
import { EngagementBook } from './book.ts';
import { deedOf, deedText, labelOf, planInLog, restartDeed } from './deeds.ts';
import { deadlineOf, type Held, isAsked, isOpen, planOf } from './held.ts';
import { Launcher } from './launcher.ts';
import { offered, releaseOf } from './offer.ts';
import { Proposer, runsByItself } from './proposer.ts';
import { Quiet } from './quiet.ts';
import type { Decider, EngagementRim } from './rim.ts';
import type { Case } from './round.ts';
import { type Known, standsAgainst } from './standing.ts';

/** A picture that shows what held longer ago is no ground to approve on. */
const MOST_PICTURE_AGE_MS = 10_000;
/** What is proposed is reckoned anew so often; what is new is planned at once. */
const PLAN_EVERY_MS = 5_000;

type Decision = { reason?: string | undefined; operator?: string | undefined };

/** What may be done about tracks, what people decide of it, and what becomes of that. */
export class Engagements {
  readonly #rim: EngagementRim;
  readonly #book: EngagementBook;
  readonly #proposer: Proposer;
  readonly #launcher: Launcher;
  readonly #known: Known;
  readonly #autonomy = new ConfirmedAutonomy();
  readonly #quiet = new Quiet();
  #plannedMs = Number.NEGATIVE_INFINITY;
  #told = '';

  constructor(rim: EngagementRim) {
    const { state, ledger, workspaceId, tell } = rim;
    this.#rim = rim;
    this.#book = new EngagementBook({
      rows: engagementRows(state),
      ledger,
      workspaceId,
      tell: (row) => tell.engagement(row),
      trouble: (thrown, what) => rim.trouble(thrown, what),
    });
    this.#known = {
      policy: () => rim.policy(),
      doctrine: () => rim.doctrine(),
      track: (id) => rim.track(id),
      fleet: () => rim.fleet(),
      check: (leg) => rim.check(leg),
      energy: (leg) => rim.energy(leg),
      nowMs: () => rim.nowMs(),
      utcMs: () => rim.utcMs(),
      elsewhere: (assetId, id) => this.#elsewhere(assetId, id),
    };
    this.#proposer = new Proposer(rim);
    this.#launcher = new Launcher(rim, this.#book, this.#known);
    this.#launcher.onEnded = (held) => this.#hush(held, held.engagement.state === 'cancelled');
  }

  /** What an earlier run left open is over: nobody knows what its vehicles do. */
  begin(): void {
    const { workspaceId, utcMs } = this.#rim;
    const updated_at = this.#rim.ledger.nowText();
    const reason = 'the service was restarted';
    this.#book.begin(
      (row) => ({ ...row, state: isAsked(row) ? 'expired' : 'failed', reason, updated_at }),
      (rows) => restartDeed(rows, workspaceId),
      utcMs(),
    );
    this.#book.prune();
  }

  view(): EngagementView {
    this.#notice();
    const { posture } = this.#rim.policy().policy;
    return { posture, ...this.autonomy(), revision: this.#book.revision, engagements: this.#book.all() };
  }

  autonomy(): AutonomyView {
    return { autonomy: this.#rim.policy().policy.autonomy, autonomy_effective: this.#effective() };
  }

  /** Those that the picture shows: the row that says of one that it is over is its last. */
  open(): Engagement[] {
    return this.#book.open();
  }

  /** Throws `not_found`. */
  get(id: string): Engagement {
    const found = this.#book.get(id);
    if (!found) throw new Fault('not_found', `there is no engagement with the id ${id}`);
    return found;
  }

  /** Makes plans about a track because a person asks, whatever autonomy says. */
  propose(trackId: string, reason: string | null, by: Decider): Engagement {
    requireControl(this.#rim.control);
    const track = this.#rim.track(trackId);
    if (!track) throw new Fault('not_found', `there is no track with the id ${trackId}`);
    const { number } = track;
    if (!this.#proposer.isFresh(track))
      throw new Fault('conflict', `${number} was not heard lately: nothing can be planned about it`);
    const open = this.#ofTrack(trackId);
    if (open && open.engagement.state !== 'proposed')
      throw new Fault('conflict', `a plan about ${number} is ${open.engagement.state} already`);
    const one = this.#proposer.caseOf(track, this.#rim.threat(trackId));
    if (!one) throw new Fault('conflict', `the doctrine offers nothing about ${number} as it is now`);
    if (!open && this.#book.room < 1) throw new Fault('conflict', 'too many engagements are open');
    const label = labelOf(by, undefined);
    const plans = this.#proposer.plans([one]).get(trackId) ?? [];
    const held = this.#proposer.held(one, plans, { by: label, user_id: by.userId });
    const told = {
      kind: 'plan.requested',
      text: `${label} asked what may be done about ${number}`,
      by: by.actor,
      reason,
    };
    const deed = deedOf(held, this.#rim.workspaceId, told);
    this.#book.write('The engagement', open ? [superseded(open, 'a person asked anew')] : [], [held], [deed]);
    this.#tellProposed(held);
    return held.engagement;
  }

  /** Approves a plan; once all have who must, it is sent. A Fault says what stands against it. */
  async approve(ask: PlanApproval, by: Decider): Promise<Engagement> {
    const { held, plan, isWhole } = this.#refusing(ask, by, () => this.#agree(ask, by));
    return isWhole ? this.#launcher.launch(held, plan, by.actor, ask.reason ?? null) : held.engagement;
  }

  /** Says no to what is proposed. It is not proposed again until it matters more, or a person asks. */
  reject(id: string, decision: Decision, by: Decider): Engagement {
    const held = this.#heldOf(id);
    if (!isAsked(held.engagement)) throw wrongState(held, 'reject');
    return this.#decide(held, 'rejected', decision, by);
  }

  /** Takes back what was approved, and what of it runs. */
  cancel(id: string, decision: Decision, by: Decider): Engagement {
    return this.#decide(this.#heldOf(id), 'cancelled', decision, by);
  }

  /** Cancels everything and holds every platform; nothing starts by itself any more. What is safer comes before what is written. */
  async stopAll(decision: Decision, by: Decider): Promise<StopAll> {
    requireControl(this.#rim.control);
    const label = labelOf(by, decision.operator);
    const reason = decision.reason ?? 'everything was stopped';
    this.#autonomy.fallBack();
    const held = this.#book.allHeld().filter(({ engagement }) => engagement.state !== 'proposed');
    let tasks = 0;
    for (const one of held) tasks += this.#launcher.cancelTasks(one, reason);
    const holding = this.#rim.holdAll(by.actor, reason);
    this.#book.follow(
      'The engagements',
      held.map((one) => ({ held: one, to: this.#ended(one, 'cancelled', decision, by) })),
    );
    for (const one of held) this.#hush(one, true);
    const platforms = await holding;
    const done = { engagements: held.length, tasks, platforms };
    this.#rim.ledger.note({
      kind: 'engagement.stop_all',
      text: `${label} stopped everything: ${held.length} engagements, ${platforms.filter(({ held }) => held).length} platforms hold`,
      by: by.actor,
      workspaceId: this.#rim.workspaceId,
      severity: 'warning',
      after: { ...done, platforms: platforms.slice(0, 100) },
      reason: decision.reason ?? null,
    });
    this.#notice();
    return done;
  }

  /** How much may start by itself from now on, within what the decision config and the doctrine allow. */
  confirmAutonomy(autonomy: Autonomy, reason: string, by: Decider): AutonomyView {
    const { policy, version } = this.#rim.policy();
    const allowed = allowedAutonomy(policy, this.#rim.doctrine().body);
    if (autonomy === 'observe_auto' && allowed !== 'observe_auto')
      throw new Fault(
        'conflict',
        `the decision config and the doctrine allow ${allowed}: observe_auto cannot be confirmed`,
      );
    const before = this.#effective();
    const label = labelOf(by, undefined);
    this.#rim.ledger.note({
      ...{ kind: 'autonomy.confirmed', text: `${label} confirmed the autonomy ${autonomy}`, by: by.actor, reason },
      ...{ workspaceId: this.#rim.workspaceId, severity: 'notice', policyVersion: version },
      ...{ before: { autonomy_effective: before }, after: { autonomy_effective: autonomy } },
    });
    this.#autonomy.confirm(autonomy);
    this.#notice();
    return this.autonomy();
  }

  /** What time brings: once a second. */
  tick(): void {
    this.#notice();
    this.#expire();
    this.#overtake();
    if (this.#rim.control.enabled && this.#effective() !== 'off') this.#proposeAll();
    this.#book.sweep(this.#rim.utcMs());
    this.#quiet.keep((key) => this.#rim.track(key.slice(0, 36)) !== undefined);
  }

  #effective(): Autonomy {
    return this.#autonomy.effective(this.#rim.policy().policy, this.#rim.doctrine().body);
  }

  /** Posture and autonomy are part of what is shown. */
  #notice(): void {
    const { posture, autonomy } = this.#rim.policy().policy;
    const effective = this.#effective();
    const now = `${posture} ${autonomy} ${effective}`;
    if (now === this.#told) return;
    if (this.#told !== '') this.#book.revision++;
    this.#told = now;
    this.#rim.tell.autonomy(effective);
  }

  #agree(ask: PlanApproval, by: Decider): { held: Held; plan: Plan; isWhole: boolean } {
    const { control, pictureSeqAgeMs, workspaceId, ledger } = this.#rim;
    requireControl(control);
    requirePerson(by);
    const held = this.#asked(ask);
    const plan = planOf(held, ask.plan_id);
    if (!plan)
      throw new Fault('conflict', `the plan ${ask.plan_id} is none of those proposed about ${held.basis.label}`);
    if (plan.hash !== ask.hash) throw new Fault('conflict', 'the hash is not that of the plan: read it anew');
    requireMay(by, plan, releaseOf(this.#rim.doctrine().body, plan.response), control, ask);
    const ageMs = pictureSeqAgeMs(ask.seq);
    if (ageMs === null || ageMs > MOST_PICTURE_AGE_MS)
      throw new Fault(
        'conflict',
        `the picture ${ask.seq} is older than ${MOST_PICTURE_AGE_MS / 1_000} s: look at what holds now`,
      );
    const { engagement } = held;
    if (!isAsked(engagement)) throw wrongState(held, 'approve');
    if (engagement.state === 'pending_approval' && engagement.chosen_plan_id !== plan.id)
      throw new Fault('conflict', `another plan about ${held.basis.label} waits for its second approval`);
    requireAnother(by, engagement, plan);
    const against = standsAgainst(this.#known, held, plan);
    if (against !== null) throw new Fault('conflict', against);
    const label = labelOf(by, ask.operator);
    const approval = this.#approval(label, 'approved', ask, by);
    const approvals = [...engagement.approvals, approval];
    const isWhole = approvals.length >= plan.required_approvals;
    const state = isWhole ? 'approved' : 'pending_approval';
    const text = `${label} approved ${deedText(plan, held.basis.label)}${isWhole ? '' : ', which takes one more approval'}`;
    const after = { state, approvals: approvals.length, ...planInLog(plan) };
    const deed = deedOf(
      held,
      workspaceId,
      { kind: 'plan.approved', text, by: by.actor, reason: approval.reason, after },
      plan,
    );
    this.#book.write('The approval', [{ held, to: { state, chosen_plan_id: plan.id, approvals } }], [], [deed]);
    ledger.tellNew();
    return { held, plan, isWhole };
  }

  #approval(label: string, decision: 'approved' | 'rejected' | 'cancelled', { reason }: Decision, by: Decider) {
    const at = this.#rim.ledger.nowText();
    return { by: label, user_id: by.userId, role: by.role, at, decision, reason: reason ?? null };
  }

  /** The engagement that is meant; one that ended is refused with what it ended as. */
  #asked({ engagement_id, track_id, plan_id }: PlanApproval): Held {
    if (engagement_id !== undefined) return this.#heldOf(engagement_id);
    if (track_id === undefined || !this.#rim.track(track_id))
      throw new Fault('not_found', `there is no track with the id ${track_id}`);
    const held = this.#ofTrack(track_id);
    if (held) return held;
    const ended = this.#book.all().find(({ candidates }) => candidates.some(({ id }) => id === plan_id));
    if (ended) throw new Fault('conflict', endedAs(ended));
    throw new Fault('conflict', 'nothing is proposed about this track');
  }

  #heldOf(id: string): Held {
    const held = this.#book.held(id);
    if (held) return held;
    throw new Fault('conflict', endedAs(this.get(id)));
  }

  /** What people are asked about a track, or agreed to: what runs by itself aside. */
  #ofTrack(trackId: string): Held | undefined {
    return this.#book.allHeld().find(({ engagement }) => engagement.track_id === trackId && !runsByItself(engagement));
  }

  /** The track of the engagement that a vehicle is in, as people agreed. */
  #elsewhere(assetId: string, id: string): string | null {
    for (const { engagement, basis } of this.#book.allHeld()) {
      const { state, candidates, chosen_plan_id } = engagement;
      if (engagement.id === id || (state !== 'approved' && state !== 'executing') || runsByItself(engagement)) continue;
      const plan = candidates.find((candidate) => candidate.id === chosen_plan_id);
      const live =
        engagement.tasks.length === 0 ||
        engagement.tasks.some((task) => task.asset_id === assetId && task.phase !== 'over');
      if (live && plan?.legs.some(({ asset_id }) => asset_id === assetId)) return basis.label;
    }
    return null;
  }

  #decide(held: Held, state: 'rejected' | 'cancelled', decision: Decision, by: Decider): Engagement {
    requireControl(this.#rim.control);
    const label = labelOf(by, decision.operator);
    const text = `${label} ${state} ${state === 'rejected' ? 'what was proposed about' : 'the engagement of'} ${held.basis.label}`;
    const kind = state === 'rejected' ? 'plan.rejected' : 'plan.cancelled';
    const told = { kind, text, by: by.actor, reason: decision.reason ?? null, after: { state } };
    const deed = deedOf(held, this.#rim.workspaceId, told);
    // The vehicles stop whatever the disk says, and before it is asked.
    this.#launcher.cancelTasks(held, decision.reason ?? `${label} cancelled it`);
    this.#book.follow('The engagement', [{ held, to: this.#ended(held, state, decision, by) }], [deed]);
    this.#hush(held, true);
    return held.engagement;
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
      if (thrown instanceof Fault && (thrown.code === 'conflict' || thrown.code === 'forbidden')) {
        const held = ask.engagement_id === undefined ? undefined : this.#book.held(ask.engagement_id);
        const label = held?.basis.label ?? this.#rim.track(ask.track_id ?? '')?.number ?? 'a track';
        this.#rim.ledger.note({
          ...{
            kind: 'plan.refused',
            text: `${labelOf(by, ask.operator)} may not approve a plan about ${label}: ${thrown.message}`,
          },
          ...{ by: by.actor, workspaceId: this.#rim.workspaceId, severity: 'notice', reason: ask.reason ?? null },
          subject: { type: 'plan', id: ask.plan_id, label },
          correlationId: held?.engagement.id ?? null,
        });
      }
      throw thrown;
    }
  }

  /** No answer is no: nothing is sent. */
  #expire(): void {
    const nowMs = this.#rim.nowMs();
    for (const held of this.#book.allHeld()) {
      const { engagement, basis } = held;
      const of =
        engagement.chosen_plan_id === null ? engagement.candidates.map(({ id }) => id) : [engagement.chosen_plan_id];
      if (!of.every((id) => nowMs >= deadlineOf(held, id))) continue;
      if (engagement.state === 'approved') this.#launcher.giveUp(held);
      if (!isAsked(engagement)) continue;
      const reason = engagement.approvals.length > 0 ? 'nobody else approved it in time' : 'nobody answered in time';
      const told = { kind: 'plan.expired', text: `what was proposed about ${basis.label} expired: ${reason}`, reason };
      const deed = deedOf(held, this.#rim.workspaceId, { ...told, after: { state: 'expired' } });
      this.#book.follow('The engagement', [{ held, to: { state: 'expired', reason } }], [deed]);
    }
  }

  /** What people are asked is not what holds any more. */
  #overtake(): void {
    const { version } = this.#rim.policy();
    const doctrine = this.#rim.doctrine();
    for (const held of this.#book.allHeld()) {
      const { engagement, basis } = held;
      if (!isAsked(engagement)) continue;
      const track = this.#rim.track(engagement.track_id);
      const planned = engagement.candidates[0]?.policy_version ?? version;
      let why: string | null = null;
      if (!track || track.state === 'closed') why = `${basis.label} is gone`;
      else if (track.affiliation !== basis.affiliation) why = `${basis.label} is held for ${track.affiliation} now`;
      else if (planned !== version) why = 'the decision config is another now';
      else if (basis.doctrineVersion !== doctrine.version) why = 'the doctrine is another now';
      else if (engagement.state === 'proposed' && engagement.proposed_by === null) {
        const row = this.#proposer.caseOf(track, this.#rim.threat(track.id))?.row ?? null;
        if (offered(row).length === 0) why = `nothing is offered about ${basis.label} any more`;
        else if (this.#rim.threat(track.id)?.dismissed) why = `the threat of ${basis.label} was dismissed`;
      }
      if (why === null) continue;
      const change = track ? superseded(held, why) : { held, to: { state: 'cancelled' as const, reason: why } };
      const kind = track ? 'plan.superseded' : 'plan.cancelled';
      const told = { kind, text: `what was proposed about ${basis.label} is withdrawn: ${why}`, reason: why };
      // A proposal that nobody had touched comes and goes without a row in the log of deeds.
      const deeds = engagement.approvals.length > 0 || !track ? [deedOf(held, this.#rim.workspaceId, told)] : [];
      this.#book.follow('The engagement', [change], deeds);
    }
  }

  #proposeAll(): void {
    const nowMs = this.#rim.nowMs();
    const cases = this.#proposer.cases(this.#book.allHeld(), ({ track, level }) => {
      return !this.#quiet.holds(track.id, { level, affiliation: track.affiliation }, nowMs);
    });
    const isNew = cases.some(({ track }) => this.#ofTrack(track.id) === undefined);
    if (cases.length === 0 || (!isNew && nowMs < this.#plannedMs + PLAN_EVERY_MS)) return;
    this.#plannedMs = nowMs;
    const plans = this.#proposer.plans(cases);
    const hasFleet = this.#rim.fleet().length > 0;
    const changes: ReturnType<typeof superseded>[] = [];
    const added: Held[] = [];
    const started: { held: Held; plan: Plan }[] = [];
    let { room } = this.#book;
    for (const one of cases) {
      const made = plans.get(one.track.id) ?? [];
      const automatic = made.filter((plan) => this.#mayStart(one, plan, nowMs)).slice(0, Math.max(0, room));
      for (const plan of automatic) started.push({ held: this.#startedHeld(one, plan), plan });
      room -= automatic.length;
      const rest = made.filter((plan) => !automatic.includes(plan));
      if (rest.length === 0 || !(hasFleet || rest.some(({ feasible }) => feasible))) continue;
      const open = this.#ofTrack(one.track.id);
      const why = open && this.#whyAnother(open, rest, nowMs);
      if (open && !why) continue;
      if (open && why) changes.push(superseded(open, why));
      else if (room-- < 1) continue;
      added.push(this.#proposer.held(one, rest, null));
    }
    if (added.length + started.length === 0) return;
    const deeds = started.map(({ held, plan }) => this.#startedDeed(held, plan));
    this.#book.write('What is proposed', changes, [...added, ...started.map(({ held }) => held)], deeds);
    for (const held of added) this.#tellProposed(held);
    for (const { held, plan } of started) void this.#startByItself(held, plan);
  }

  #whyAnother(open: Held, fresh: readonly Plan[], nowMs: number): string | null {
    // What a person asked for, he is reading.
    if (open.engagement.proposed_by !== null) return null;
    return isAnother(open, fresh, nowMs, (plan) => standsAgainst(this.#known, open, plan) === null);
  }

  #mayStart(one: Case, plan: Plan, nowMs: number): boolean {
    if (this.#effective() !== 'observe_auto') return false;
    const { level, track } = one;
    if (this.#quiet.holds(`${track.id} ${plan.response}`, { level, affiliation: track.affiliation }, nowMs))
      return false;
    return isAutomatic(plan, one.row, this.#rim.policy().policy, this.#rim.doctrine().body);
  }

  #startedHeld(one: Case, plan: Plan): Held {
    const held = this.#proposer.held(one, [plan], null);
    const engagement: Engagement = { ...held.engagement, state: 'approved', chosen_plan_id: plan.id };
    return { ...held, engagement };
  }

  #startedDeed(held: Held, plan: Plan): Deed {
    const text = `by itself, as doctrine and decision config allow: ${deedText(plan, held.basis.label)}`;
    const after = { state: 'approved', ...planInLog(plan) };
    return deedOf(held, this.#rim.workspaceId, { kind: 'plan.automatic', text, after, severity: 'notice' }, plan);
  }

  async #startByItself(held: Held, plan: Plan): Promise<void> {
    const { level, affiliation } = held.basis;
    // Told once; a camera may turn again when this one has looked.
    if (plan.response === 'notify') this.#quiet.hush(`${plan.track_id} notify`, { level, affiliation }, Infinity);
    try {
      await this.#launcher.launch(held, plan, systemActor, 'observe_auto');
    } catch {
      // The engagement failed, and says why.
    }
  }

  /** What ended is not proposed again at once; what a person ended not until it matters more. */
  #hush({ engagement, basis }: Held, byPerson: boolean): void {
    if (isOpen(engagement)) return;
    const { level, affiliation } = basis;
    const { track_id, approvals, chosen_plan_id, candidates } = engagement;
    const pauseMs = this.#rim.policy().policy.engagement.plan_ttl_s * 1_000;
    const untilMs = byPerson ? Infinity : this.#rim.nowMs() + pauseMs;
    const response = candidates.find(({ id }) => id === chosen_plan_id)?.response;
    const byItself = approvals.every(({ decision }) => decision !== 'approved') && chosen_plan_id !== null;
    if (!byItself) this.#quiet.hush(track_id, { level, affiliation }, untilMs);
    else if (response !== 'notify') this.#quiet.hush(`${track_id} ${response}`, { level, affiliation }, untilMs);
  }

  #tellProposed({ engagement, basis }: Held): void {
    const ways = engagement.candidates.filter(({ feasible }) => feasible).map(({ response }) => response);
    const text = `about ${basis.label} is proposed: ${ways.join(', ') || 'nothing that can be done now'}`;
    const subject = { type: 'engagement', id: engagement.id, label: basis.label };
    this.#rim.tell.note('plan.proposed', 'info', text, subject);
  }
}

function superseded(held: Held, reason: string): { held: Held; to: Partial<Engagement> } {
  return { held, to: { state: 'superseded', reason } };
}

function wrongState({ engagement, basis }: Held, what: string): Fault {
  return new Fault('conflict', `there is nothing to ${what}: the engagement of ${basis.label} is ${engagement.state}`);
}

function endedAs({ state, reason }: Engagement): string {
  return `the engagement is ${state}${reason === null ? '' : `: ${reason}`}`;
}
