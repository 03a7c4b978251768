import { systemActor } from '../model/actor.ts';
import type { Engagement, Plan } from '../model/engagement.ts';
import type { Deed } from '../store/ledger.ts';
import { isAutomatic } from './autonomy.ts';
import { superseded } from './course.ts';
import { deedOf, deedText, planInLog } from './deeds.ts';
import type { PlanVehicle } from './deps.ts';
import { deadlineOf, type Held } from './held.ts';
import type { Case } from './round.ts';
import { camerasInUse, ofTrack, type Shared } from './shared.ts';
import { standsAgainst } from './standing.ts';

/** Increase of the score, points, from which a better plan replaces a proposed one. */
const BETTER = 20;

/**
 * Time for which a proposal is not replaced by one that is only better, ms: people need it to read the plans. A plan
 * that cannot be carried out any more is replaced at once.
 */
const READ_MS = 20_000;

type Now = {
  nowMs: number;
  /** Whether the threat level fell a short while ago, so that the proposal stays although less is offered now. */
  hasFallen: boolean;
  /** Returns true if a proposed plan can still be carried out. */
  isGood: (plan: Plan) => boolean;
};

/**
 * Returns why the fresh plans differ so much from the proposed ones that people must read them again. Returns null if
 * the proposal stays.
 */
function whyReplaced(held: Held, fresh: readonly Plan[], now: Now): string | null {
  const before = new Map(held.engagement.candidates.map((plan) => [plan.response, plan]));
  const isOfferedMore = fresh.some(({ response }) => !before.has(response));
  if (isOfferedMore || (!now.hasFallen && fresh.length < before.size))
    return 'the possible responses to the track have changed';
  const hasFeasible = held.engagement.candidates.some(({ feasible }) => feasible);
  const isRead = !hasFeasible || now.nowMs - held.basis.proposedMs >= READ_MS;
  // The vehicle of a good plan may be matched to another track by now. Such a plan is not taken away for a better one.
  const isLost = fresh.some(({ response, feasible }) => !feasible && before.get(response)?.feasible);
  for (const plan of fresh) {
    const was = before.get(plan.response);
    const why = was && (whyOutdated(held, was, plan, now) ?? (isRead && !isLost ? whyBetter(was, plan) : null));
    if (why) return why;
  }
  return null;
}

function whyOutdated(held: Held, was: Plan, is: Plan, { nowMs, hasFallen, isGood }: Now): string | null {
  const { response } = is;
  if (was.policy_version !== is.policy_version) return 'the decision config has changed';
  const more = is.required_approvals - was.required_approvals;
  if (more > 0 || (more < 0 && !hasFallen)) return `the response '${response}' needs another number of approvals now`;
  if (!was.feasible) return null;
  if (nowMs >= deadlineOf(held, was.id)) return `the plan to ${response} expired`;
  return isGood(was) ? null : `the plan to ${response} is no longer possible as it was proposed`;
}

function whyBetter(was: Plan, { response, feasible, score }: Plan): string | null {
  if (!feasible) return null;
  if (!was.feasible) return `the response '${response}' is possible now`;
  return score >= was.score + BETTER ? `there is a much better plan to ${response}` : null;
}

/** Interval at which open proposals are planned again, ms. New threats are planned at once. */
const PLAN_EVERY_MS = 5_000;

type Begun = { held: Held; plan: Plan };
type Found = { changes: ReturnType<typeof superseded>[]; added: Held[]; begun: Begun[] };

/** Makes proposals without a request, and begins them if people have allowed that. */
export class Proposals {
  readonly #shared: Shared;
  #plannedMs = Number.NEGATIVE_INFINITY;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Renews the proposals for the present threats. `mayBegin` is true if the effective autonomy is `observe_auto`. */
  renew(mayBegin: boolean): void {
    const { deps, log, proposer, quiet } = this.#shared;
    const nowMs = deps.nowMs();
    const cases = proposer.cases(log.allHeld(), (one) => !quiet.holds(one.track.id, aboutOf(one), nowMs));
    const isNew = cases.some(({ track }) => ofTrack(this.#shared, track.id) === undefined);
    if (cases.length === 0 || (!isNew && nowMs < this.#plannedMs + PLAN_EVERY_MS)) return;
    this.#plannedMs = nowMs;
    const { changes, added, begun } = this.#found(cases, mayBegin);
    if (added.length + begun.length === 0) return;
    const deeds = begun.map(({ held, plan }) => this.#deedOf(held, plan));
    log.write('What is proposed', changes, [...added, ...begun.map(({ held }) => held)], deeds);
    for (const held of added) this.publish(held);
    for (const { held, plan } of begun) void this.#begin(held, plan);
  }

  publish({ engagement, basis }: Held): void {
    const paths = engagement.candidates.filter(({ feasible }) => feasible).map(({ response }) => response);
    const text = `plans about ${basis.label}: ${paths.join(', ') || 'none can be flown now'}`;
    const subject = { type: 'engagement', id: engagement.id, label: basis.label };
    this.#shared.deps.publish.note('plan.proposed', 'info', text, subject);
  }

  #found(cases: readonly Case[], mayBegin: boolean): Found {
    const { deps, log, proposer } = this.#shared;
    // The fleet is read once, because every proposed plan is compared with it.
    const fleet = deps.fleet();
    const plans = proposer.plans(cases, fleet);
    const begins = mayBegin ? this.#beginning(cases, fleet, plans) : plans;
    const found: Found = { changes: [], added: [], begun: [] };
    let { room } = log;
    for (const one of cases) {
      const made = plans.get(one.track.id) ?? [];
      const automatic = mayBegin ? this.#automatic(one, begins).slice(0, Math.max(0, room)) : [];
      for (const plan of automatic) found.begun.push(...this.#begunOf(one, plan));
      room -= automatic.length;
      const rest = made.filter(({ response }) => !automatic.some((plan) => plan.response === response));
      // If the fleet is empty and all plans are infeasible, nothing is proposed.
      if (rest.length === 0 || !(fleet.length > 0 || rest.some(({ feasible }) => feasible))) continue;
      const open = ofTrack(this.#shared, one.track.id);
      if (open) {
        const why = this.#whyAnother(open, rest, fleet);
        if (why === null) continue;
        found.changes.push(superseded(open, why));
      } else if (room-- < 1) continue;
      // A proposal that replaces one requested by a rule keeps the rule as its origin.
      found.added.push(proposer.held(one, rest, open?.engagement.proposed_by ?? null));
    }
    return found;
  }

  #whyAnother(open: Held, fresh: readonly Plan[], fleet: readonly PlanVehicle[]): string | null {
    const { deps, known, fallen } = this.#shared;
    // The person who requested the proposal is reading it, so it is not replaced.
    if (open.basis.byPerson) return null;
    const now = { ...known, deps: { ...deps, fleet: () => fleet } };
    const nowMs = deps.nowMs();
    return whyReplaced(open, fresh, {
      nowMs,
      hasFallen: fallen.isRecent(open.engagement.id, nowMs),
      isGood: (plan) => standsAgainst(now, open, plan) === null,
    });
  }

  /** Returns the plans from which automatic starts are taken. They use no camera that must keep its task. */
  #beginning(cases: readonly Case[], fleet: readonly PlanVehicle[], plans: Map<string, Plan[]>): Map<string, Plan[]> {
    const cameras = camerasInUse(this.#shared, fleet);
    return cameras.size === 0 ? plans : this.#shared.proposer.plans(cases, fleet, cameras);
  }

  #automatic(one: Case, plans: ReadonlyMap<string, Plan[]>): Plan[] {
    return (plans.get(one.track.id) ?? []).filter((plan) => this.#mayBegin(one, plan));
  }

  #mayBegin(one: Case, plan: Plan): boolean {
    const { deps, quiet } = this.#shared;
    if (quiet.holds(`${one.track.id} ${plan.response}`, aboutOf(one), deps.nowMs())) return false;
    return isAutomatic(plan, one.row, deps.policy().policy, deps.doctrine().body);
  }

  #begunOf(one: Case, draft: Plan): Begun[] {
    const held = this.#shared.proposer.held(one, [draft], null);
    const [plan] = held.engagement.candidates;
    if (!plan) return [];
    const engagement: Engagement = { ...held.engagement, state: 'approved', chosen_plan_id: plan.id };
    return [{ held: { ...held, engagement }, plan }];
  }

  #deedOf(held: Held, plan: Plan): Deed {
    const text = `by itself, as doctrine and decision config allow: ${deedText(plan, held.basis.label)}`;
    const after = { state: 'approved', ...planInLog(plan) };
    const content = { kind: 'plan.automatic', text, after, severity: 'notice' } as const;
    return deedOf(held, this.#shared.deps.workspaceId, content, plan);
  }

  async #begin(held: Held, plan: Plan): Promise<void> {
    const { quiet, launcher } = this.#shared;
    // A notification is repeated only if the level rises or the affiliation changes, but a camera may be turned again
    // later.
    if (plan.response === 'notify') quiet.hush(`${plan.track_id} notify`, held.basis, Number.POSITIVE_INFINITY);
    try {
      await launcher.launch(held, plan, systemActor, 'observe_auto');
    } catch {
      // The engagement has ended already, with the reason.
    }
  }
}

function aboutOf({ level, track }: Case) {
  return { level, affiliation: track.affiliation };
}
