import { systemActor } from '../../model/actor.ts';
import type { Engagement, Plan } from '../../model/engagement.ts';
import type { Deed } from '../../store/ledger.ts';
import { isAnother } from './another.ts';
import { isAutomatic } from './autonomy.ts';
import { superseded } from './course.ts';
import { deedOf, deedText, planInLog } from './deeds.ts';
import type { Held } from './held.ts';
import { ofTrack, type Parts } from './parts.ts';
import type { PlanVehicle } from './rim.ts';
import type { Case } from './round.ts';
import { standsAgainst } from './standing.ts';

/** What is proposed is reckoned anew so often; what is new is planned at once. */
const PLAN_EVERY_MS = 5_000;

type Begun = { held: Held; plan: Plan };
type Found = { changes: ReturnType<typeof superseded>[]; added: Held[]; begun: Begun[] };

/** What the service proposes by itself, and begins where people allowed that. */
export class Proposals {
  readonly #parts: Parts;
  #plannedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `mayBegin`: autonomy is observe_auto. */
  renew(mayBegin: boolean): void {
    const { rim, book, proposer, quiet } = this.#parts;
    const nowMs = rim.nowMs();
    const cases = proposer.cases(book.allHeld(), (one) => !quiet.holds(one.track.id, aboutOf(one), nowMs));
    const isNew = cases.some(({ track }) => ofTrack(this.#parts, track.id) === undefined);
    if (cases.length === 0 || (!isNew && nowMs < this.#plannedMs + PLAN_EVERY_MS)) return;
    this.#plannedMs = nowMs;
    const { changes, added, begun } = this.#found(cases, mayBegin);
    if (added.length + begun.length === 0) return;
    const deeds = begun.map(({ held, plan }) => this.#deedOf(held, plan));
    book.write('What is proposed', changes, [...added, ...begun.map(({ held }) => held)], deeds);
    for (const held of added) this.tell(held);
    for (const { held, plan } of begun) void this.#begin(held, plan);
  }

  tell({ engagement, basis }: Held): void {
    const ways = engagement.candidates.filter(({ feasible }) => feasible).map(({ response }) => response);
    const text = `about ${basis.label} is proposed: ${ways.join(', ') || 'nothing that can be done now'}`;
    const subject = { type: 'engagement', id: engagement.id, label: basis.label };
    this.#parts.rim.tell.note('plan.proposed', 'info', text, subject);
  }

  #found(cases: readonly Case[], mayBegin: boolean): Found {
    const { rim, book, proposer } = this.#parts;
    // Asked for once: every plan that people read is held against it.
    const fleet = rim.fleet();
    const plans = proposer.plans(cases, fleet);
    const found: Found = { changes: [], added: [], begun: [] };
    let { room } = book;
    for (const one of cases) {
      const made = plans.get(one.track.id) ?? [];
      const automatic = mayBegin ? made.filter((plan) => this.#mayBegin(one, plan)).slice(0, Math.max(0, room)) : [];
      for (const plan of automatic) found.begun.push(...this.#begunOf(one, plan));
      room -= automatic.length;
      const rest = made.filter((plan) => !automatic.includes(plan));
      // Where there is no vehicle at all, that nobody can be sent is no news.
      if (rest.length === 0 || !(fleet.length > 0 || rest.some(({ feasible }) => feasible))) continue;
      const open = ofTrack(this.#parts, one.track.id);
      if (open) {
        const why = this.#whyAnother(open, rest, fleet);
        if (why === null) continue;
        found.changes.push(superseded(open, why));
      } else if (room-- < 1) continue;
      // What takes the place of what a rule asked for is still what the rule asked for.
      found.added.push(proposer.held(one, rest, open?.engagement.proposed_by ?? null));
    }
    return found;
  }

  #whyAnother(open: Held, fresh: readonly Plan[], fleet: readonly PlanVehicle[]): string | null {
    const { rim, known } = this.#parts;
    // What a person asked for, he is reading.
    if (open.basis.byPerson) return null;
    const now = { ...known, rim: { ...rim, fleet: () => fleet } };
    return isAnother(open, fresh, rim.nowMs(), (plan) => standsAgainst(now, open, plan) === null);
  }

  #mayBegin(one: Case, plan: Plan): boolean {
    const { rim, quiet } = this.#parts;
    if (quiet.holds(`${one.track.id} ${plan.response}`, aboutOf(one), rim.nowMs())) return false;
    return isAutomatic(plan, one.row, rim.policy().policy, rim.doctrine().body);
  }

  #begunOf(one: Case, draft: Plan): Begun[] {
    const held = this.#parts.proposer.held(one, [draft], null);
    const [plan] = held.engagement.candidates;
    if (!plan) return [];
    const engagement: Engagement = { ...held.engagement, state: 'approved', chosen_plan_id: plan.id };
    return [{ held: { ...held, engagement }, plan }];
  }

  #deedOf(held: Held, plan: Plan): Deed {
    const text = `by itself, as doctrine and decision config allow: ${deedText(plan, held.basis.label)}`;
    const after = { state: 'approved', ...planInLog(plan) };
    const told = { kind: 'plan.automatic', text, after, severity: 'notice' as const };
    return deedOf(held, this.#parts.rim.workspaceId, told, plan);
  }

  async #begin(held: Held, plan: Plan): Promise<void> {
    const { quiet, launcher } = this.#parts;
    // Told once; a camera may turn again after a while.
    if (plan.response === 'notify') quiet.hush(`${plan.track_id} notify`, held.basis, Number.POSITIVE_INFINITY);
    try {
      await launcher.launch(held, plan, systemActor, 'observe_auto');
    } catch {
      // The engagement failed, and says why.
    }
  }
}

function aboutOf({ level, track }: Case) {
  return { level, affiliation: track.affiliation };
}
