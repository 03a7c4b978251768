import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engagement, Plan, PlanLeg } from '../../model/engagement.ts';
import type { Task } from '../../model/task.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { ActButton, Fact, Facts, Reason } from '../parts/field.tsx';
import { useHeldRows } from '../parts/held_rows.ts';
import { HoldButton } from '../parts/hold_button.tsx';
import { type Approver, type Choice, isWaiting, rankChoices } from '../state/approvable.ts';
import { announce, attempt } from '../state/attempt.ts';
import { selectTrack } from '../state/select.ts';
import { session } from '../state/session.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { clockText, distanceText, durationText } from '../words/units.ts';

const HOLD_MS = 1_000;
/** Time after a change of a plan during which it cannot be approved, ms: a person may be pressing the button already. */
const CHANGED_MS = 1_500;

/** This person and screen, as far as they decide about approvals. Subscribes to all that changes it. */
function approver(): Approver {
  void clock.second.value;
  const { userId, token } = session.value;
  return {
    ...{ forbidden: forbidden('approve'), userId, isSignedIn: token !== null, nowMs: clock.nowMs() ?? 0 },
    trackOf: (id) => store.tracks.get(id),
    threatOf: (id) => store.threats.get(id),
    busy: busySentence,
    say: (obstacle) => words[obstacle],
  };
}

/** Sentence about a vehicle that works for another engagement; null where it is free. The box would refuse the approval. */
function busySentence(assetId: string, engagementId: string): string | null {
  const flown = store.engagements.list().find((one) => one.id !== engagementId && worksWith(one, assetId));
  return flown === undefined ? null : words.vehicleBusy(assetName(assetId), trackNumber(flown.track_id));
}

const worksWith = ({ state, tasks }: Engagement, assetId: string): boolean =>
  (state === 'approved' || state === 'executing') &&
  tasks.some((task) => task.asset_id === assetId && (store.tasks.get(task.id) ?? task).ended_at === null);

/** Engagements: plans that wait for a person, and plans in execution. */
export function ApprovalsPanel() {
  const engagements = store.engagements.list();
  const flown = engagements.filter((one) => !isWaiting(one));
  return (
    <section aria-label={words.approvals}>
      {engagements.length === 0 ? <p class="empty">{words.noEngagements}</p> : null}
      {store.stoppedAt.value === null ? null : <p class="reason">{words.stoppedBefore}</p>}
      {/* First, so that a vehicle that flies is stopped with one look, whatever is proposed meanwhile. */}
      {flown.map((one) => (
        <FlownCard key={one.id} engagement={one} />
      ))}
      <WaitingCards choices={rankChoices(engagements, approver())} />
    </section>
  );
}

// A track has at most one open proposal. A later one replaces it in the same card, which shows the change.
const cardKey = ({ engagement }: Choice): string => engagement.track_id;

/**
 * Cards of the plans that wait. While a person points at them, each keeps its place: one that is over stays, and cannot be
 * used, so that no other card comes under the finger.
 */
function WaitingCards({ choices }: { choices: readonly Choice[] }) {
  const before = useRef<{ cards: readonly Choice[]; isHeld: boolean }>({ cards: [], isHeld: false });
  const present = new Set(choices.map(cardKey));
  const over = before.current.isHeld ? before.current.cards.filter((card) => !present.has(cardKey(card))) : [];
  const { rows, isHeld, list } = useHeldRows<Choice, HTMLDivElement>([...choices, ...over], cardKey);
  before.current = { cards: rows, isHeld };
  return (
    <div ref={list}>
      {isHeld && rows.length > 1 ? <p class="order">{words.orderHeld}</p> : null}
      {rows.map((choice) => (
        <WaitingCard key={cardKey(choice)} {...choice} isOver={!present.has(cardKey(choice))} />
      ))}
    </div>
  );
}

/** Key of a plan's panel entry. A changed plan with the same response and the same vehicles keeps the entry. */
const planKey = ({ response, legs }: Plan): string =>
  [response, ...new Set(legs.map(({ asset_id }) => asset_id))].join(' ');
/** The first 8 digits of the hash, which two people can compare. The prefix with the hash method is left out. */
const shortHash = ({ hash }: Plan): string => hash.slice(hash.indexOf(':') + 1).slice(0, 8);
const trackNumber = (id: string): string => store.tracks.get(id)?.number ?? words.trackGone;
const assetName = (id: string): string => store.assets.get(id)?.name ?? words.unknownVehicle;

function WaitingCard({ engagement, plans: all, impossible, isOpen: mayOpen, isOver }: Choice & { isOver: boolean }) {
  const isOpen = mayOpen && !isOver;
  const plans = isOver ? all.map((one) => ({ ...one, why: words.planOver })) : all;
  const level = store.threats.get(engagement.track_id)?.level;
  const [first, ...others] = new Set(plans.map(({ why }) => why));
  // A reason that holds for every plan is given once, at the top of the card.
  const common = plans.length === 0 ? words.noPlanPossible : others.length === 0 ? (first ?? null) : null;
  return (
    <article class="card approval" data-open={isOpen} aria-label={words.planFor(trackNumber(engagement.track_id))}>
      <h3>
        <button type="button" class="link" onClick={() => selectTrack(engagement.track_id)}>
          {trackNumber(engagement.track_id)}
        </button>{' '}
        {level ?? ''}
      </h3>
      {/* Always there, with room for two lines: the buttons below must not move when a reason comes or goes. */}
      <p class={`verdict ${isOpen ? '' : 'reason'}`}>{common ?? (isOpen ? words.waitsForYou : words.eachPlanSays)}</p>
      {engagement.approvals.map(({ by, at, decision }) => (
        <p key={`${by} ${at}`}>
          {decision} by <bdi>{by}</bdi> {clockText(at)}
        </p>
      ))}
      {plans.map((one) => (
        <PlanCard key={planKey(one.plan)} engagement={engagement} {...one} isSaidAbove={common !== null} />
      ))}
      {impossible.map((plan) => (
        <details key={plan.id} open={plans.length === 0}>
          <summary>{words.impossible(plan.response)}</summary>
          <ul>
            {plan.infeasible_reasons.map(({ asset_id, text }) => (
              <li key={`${asset_id} ${text}`}>{words.spoken(text)}</li>
            ))}
          </ul>
        </details>
      ))}
      <ActButton
        class="reject"
        whyNot={isOver ? words.planOver : forbidden('safer')}
        onPress={() => void reject(engagement)}
      >
        {words.reject}
      </ActButton>
    </article>
  );
}

/** Whether the plan's content changed a short while ago: then the content under the finger is not the content that was read. */
function useChanged(hash: string): boolean {
  const last = useRef(hash);
  const [changedFrom, setChangedFrom] = useState<string | null>(null);
  useEffect(() => {
    if (last.current === hash) return;
    setChangedFrom(last.current);
    last.current = hash;
    const timer = setTimeout(() => setChangedFrom(null), CHANGED_MS);
    return () => clearTimeout(timer);
  }, [hash]);
  return changedFrom !== null || last.current !== hash;
}

type PlanProps = {
  engagement: Engagement;
  plan: Plan;
  /** Reason why the plan cannot be approved now, and whether the card gives it already. */
  why: string | null;
  isSaidAbove: boolean;
  /** Seconds until the plan expires: a property, since only a changed property or signal draws the card again. */
  leftS: number;
};

function PlanCard({ engagement, plan, why: whyNot, isSaidAbove, leftS: seconds }: PlanProps) {
  const hasChanged = useChanged(plan.hash);
  const why = whyNot ?? (hasChanged ? words.planChanged : null);
  return (
    <div class="plan" data-open={why === null}>
      <h4 title={terms.responseHint(plan.response)}>{words.response(plan.response)}</h4>
      {isSaidAbove ? null : <Reason>{whyNot}</Reason>}
      {plan.legs.map((leg) => (
        <LegFacts key={`${leg.asset_id} ${leg.verb}`} leg={leg} />
      ))}
      {plan.risks.map((risk) => (
        <p key={risk} class="flag">
          {words.spoken(risk)}
        </p>
      ))}
      <p class="quiet">
        {seconds === 0 ? words.expired : words.expiresIn(seconds)} · {words.plan}{' '}
        <code title={words.planHash}>{shortHash(plan)}</code> ·{' '}
        {words.approvalsOf(
          engagement.approvals.filter(({ decision }) => decision === 'approved').length,
          plan.required_approvals,
        )}
      </p>
      <progress max={120} value={Math.min(120, seconds)} aria-label={words.expiresIn(seconds)} />
      <HoldButton
        key={plan.hash}
        class="approve"
        holdMs={HOLD_MS}
        whyNot={why}
        onConfirmed={() => approve(engagement, plan)}
      >
        {why === null ? (
          <>
            {words.approve(words.response(plan.response))} <span class="number">{trackNumber(plan.track_id)}</span>
          </>
        ) : (
          words.cannotApprove
        )}
      </HoldButton>
      {/* Below the button, which must not move under the finger. */}
      <Reason>{whyNot === null ? why : null}</Reason>
    </div>
  );
}

/** Approves the plan that the person read, in the picture that the person saw. If either is outdated, the box refuses. */
function approve(engagement: Engagement, { id: plan_id, hash, response, track_id }: Plan): void {
  const situation = store.situation.peek();
  if (!situation) return;
  const { seq, epoch } = situation;
  const reason = words.approvedHere;
  const say = words.approved(words.response(response), trackNumber(track_id));
  void attempt(() => calls.approve({ engagement_id: engagement.id, plan_id, hash, seq, epoch, reason })).then(
    (done) => done !== null && announce(say),
  );
}

/** Rejects the plans about a track, and says so: the card is gone afterwards. */
async function reject(engagement: Engagement): Promise<void> {
  const say = words.rejectedPlans(trackNumber(engagement.track_id));
  if ((await attempt(() => calls.reject(engagement.id, words.rejectedHere))) !== null) announce(say);
}

function LegFacts({ leg }: { leg: PlanLeg }) {
  return (
    <Facts>
      <Fact name={words.vehicle}>
        <strong>
          <bdi>{assetName(leg.asset_id)}</bdi>
        </strong>{' '}
        {words.verb(leg.verb)}
      </Fact>
      <Fact name={words.there}>{leg.eta_s === null ? '?' : `in ${durationText(leg.eta_s)}`}</Fact>
      <Fact name={words.closest}>{leg.closest_m === null ? '?' : distanceText(leg.closest_m)}</Fact>
      <Fact name={words.energyHome}>
        {leg.energy_after_pct === null ? '?' : `${Math.round(leg.energy_after_pct)} %`}
      </Fact>
    </Facts>
  );
}

function TaskFacts({ task }: { task: Task }) {
  const { asset_id, verb, phase, distance_m: distance, closest_m: closest, breaches } = task;
  return (
    <Facts>
      <Fact name={assetName(asset_id)}>
        {words.verb(verb)} · {phase.replace('_', ' ')}
      </Fact>
      <Fact name={words.distance}>{distance === null ? words.noDistance(phase) : distanceText(distance)}</Fact>
      {closest === null ? null : <Fact name={words.closest}>{distanceText(closest)}</Fact>}
      {breaches > 0 ? <Fact name={words.breaches}>{breaches}</Fact> : null}
    </Facts>
  );
}

function FlownCard({ engagement }: { engagement: Engagement }) {
  return (
    <article class="card flown" aria-label={words.engagementOf(trackNumber(engagement.track_id))}>
      <h3>
        {trackNumber(engagement.track_id)} · {engagement.state}
      </h3>
      {engagement.tasks.map((task) => (
        <TaskFacts key={task.id} task={store.tasks.get(task.id) ?? task} />
      ))}
      <ActButton
        whyNot={forbidden('safer')}
        onPress={() => void attempt(() => calls.cancel(engagement.id, words.cancelledHere))}
      >
        {words.cancel}
      </ActButton>
    </article>
  );
}
