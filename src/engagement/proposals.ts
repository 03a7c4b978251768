import { systemActor } from '../model/actor.ts';
import type { Engagement, Plan } from '../model/engagement.ts';
import type { Deed } from '../store/ledger.ts';
import { isAutomatic } from './autonomy.ts';
import { superseded } from './course.ts';
import { deedOf, deedText, planInLog } from './deeds.ts';
import type { PlanVehicle } from './deps.ts';
import { deadlineOf, type Held } from './held.ts';
import type { Case } from './round.ts';
import { ofTrack, type Shared } from './shared.ts';
import { standsAgainst } from './standing.ts';

/** Increase of the score, points, from which a better plan replaces a proposed one. */
const BETTER = 20;

/**
 * Returns why the fresh plans differ so much from the proposed ones that people must read them again. Returns null if
 * the proposal stays. `isGood` returns true if a proposed plan can still be carried out.
 */
function isAnother(held: Held, fresh: readonly Plan[], nowMs: number, isGood: (plan: Plan) => boolean): string | null {
  const before = new Map(held.engagement.candidates.map((plan) => [plan.response, plan]));
  const offers = (plans: Iterable<Plan>): string =>
    [...plans]
      .map(({ response }) => response)
      .sort()
      .join();
  if (offers(before.values()) !== offers(fresh)) return 'the possible responses to the track have changed';
  for (const plan of fresh) {
    const was = before.get(plan.response);
    const why = was && difference(held, was, plan, nowMs, isGood);
    if (why) return why;
  }
  return null;
}

function difference(held: Held, was: Plan, is: Plan, nowMs: number, isGood: (plan: Plan) => boolean): string | null {
  const { response } = is;
  if (was.policy_version !== is.policy_version) return 'the decision config has changed';
  if (was.required_approvals !== is.required_approvals)
    return `the response '${response}' needs another number of approvals now`;
  if (!was.feasible) return is.feasible ? `the response '${response}' is possible now` : null;
  if (nowMs >= deadlineOf(held, was.id)) return `the plan to ${response} expired`;
  if (!isGood(was)) return `the plan to ${response} is no longer possible as it was proposed`;
  if (is.feasible && is.score >= was.score + BETTER) return `there is a much better plan to ${response}`;
  return null;
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
    const found: Found = { changes: [], added: [], begun: [] };
    let { room } = log;
    for (const one of cases) {
      const made = plans.get(one.track.id) ?? [];
      const automatic = mayBegin ? made.filter((plan) => this.#mayBegin(one, plan)).slice(0, Math.max(0, room)) : [];
      for (const plan of automatic) found.begun.push(...this.#begunOf(one, plan));
      room -= automatic.length;
      const rest = made.filter((plan) => !automatic.includes(plan));
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
    const { deps, known } = this.#shared;
    // The person who requested the proposal is reading it, so it is not replaced.
    if (open.basis.byPerson) return null;
    const now = { ...known, deps: { ...deps, fleet: () => fleet } };
    return isAnother(open, fresh, deps.nowMs(), (plan) => standsAgainst(now, open, plan) === null);
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
