import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engagement, Plan, PlanLeg } from '../../model/engagement.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { ActButton, Fact, Facts, Reason } from '../parts/field.tsx';
import { HoldButton } from '../parts/hold_button.tsx';
import { attempt } from '../state/attempt.ts';
import { selectTrack } from '../state/select.ts';
import { session } from '../state/session.ts';
import { words } from '../words/en.ts';
import { clockText, distanceText, durationText } from '../words/units.ts';

const HOLD_MS = 1_000;
/** Time after a change of a plan during which it cannot be approved, ms: a person may be pressing the button already. */
const CHANGED_MS = 1_500;

const isWaiting = ({ state }: Engagement): boolean => state === 'proposed' || state === 'pending_approval';

/** Engagements: plans that wait for a person, and plans in execution. */
export function ApprovalsPanel() {
  const engagements = store.engagements.list();
  const scoreOf = ({ track_id }: Engagement): number => store.threats.get(track_id)?.score ?? 0;
  const waiting = engagements.filter(isWaiting).sort((a, b) => scoreOf(b) - scoreOf(a));
  const flown = engagements.filter((one) => !isWaiting(one));
  return (
    <section aria-label={words.approvals}>
      {engagements.length === 0 ? <p class="empty">{words.noEngagements}</p> : null}
      {waiting.map((one) => (
        // A track has at most one open proposal. A later one replaces it in the same card, which shows the change.
        <WaitingCard key={one.track_id} engagement={one} />
      ))}
      {flown.map((one) => (
        <FlownCard key={one.id} engagement={one} />
      ))}
    </section>
  );
}

/** Key of a plan's panel entry. A changed plan with the same response and the same vehicles keeps the entry. */
const planKey = ({ response, legs }: Plan): string =>
  [response, ...new Set(legs.map(({ asset_id }) => asset_id))].join(' ');
/** The first 8 digits of the hash, which two people can compare. The prefix with the hash method is left out. */
const shortHash = ({ hash }: Plan): string => hash.slice(hash.indexOf(':') + 1).slice(0, 8);
const trackNumber = (id: string): string => store.tracks.get(id)?.number ?? words.trackGone;
const assetName = (id: string): string => store.assets.get(id)?.name ?? words.unknownVehicle;

function WaitingCard({ engagement }: { engagement: Engagement }) {
  const feasible = engagement.candidates.filter((plan) => plan.feasible);
  const impossible = engagement.candidates.filter((plan) => !plan.feasible);
  const level = store.threats.get(engagement.track_id)?.level;
  return (
    <article class="card approval" aria-label={words.planFor(trackNumber(engagement.track_id))}>
      <h3>
        <button type="button" class="link" onClick={() => selectTrack(engagement.track_id)}>
          {trackNumber(engagement.track_id)}
        </button>{' '}
        {level ?? ''}
      </h3>
      {engagement.approvals.map(({ by, at, decision }) => (
        <p key={`${by} ${at}`}>
          {decision} by <bdi>{by}</bdi> {clockText(at)}
        </p>
      ))}
      {feasible.map((plan) => (
        <PlanCard key={planKey(plan)} engagement={engagement} plan={plan} />
      ))}
      {impossible.map((plan) => (
        <details key={plan.id}>
          <summary>{words.impossible(plan.response)}</summary>
          <ul>
            {plan.infeasible_reasons.map(({ asset_id, text }) => (
              <li key={`${asset_id} ${text}`}>{text}</li>
            ))}
          </ul>
        </details>
      ))}
      <ActButton
        whyNot={forbidden('safer')}
        onPress={() => void attempt(() => calls.reject(engagement.id, words.rejectedHere))}
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

function PlanCard({ engagement, plan }: { engagement: Engagement; plan: Plan }) {
  const hasChanged = useChanged(plan.hash);
  void clock.second.value;
  const leftS = Math.max(0, Math.floor((Date.parse(plan.expires_at) - (clock.nowMs() ?? 0)) / 1_000));
  const why = whyNotApproved(engagement, plan, hasChanged, leftS);
  return (
    <div class="plan">
      <h4>{words.response(plan.response)}</h4>
      {plan.legs.map((leg) => (
        <LegFacts key={`${leg.asset_id} ${leg.verb}`} leg={leg} />
      ))}
      {plan.risks.map((risk) => (
        <p key={risk} class="flag">
          {risk}
        </p>
      ))}
      <p class="quiet">
        {words.expiresIn(leftS)} · {words.plan} <code>{shortHash(plan)}</code> ·{' '}
        {words.approvalsOf(
          engagement.approvals.filter(({ decision }) => decision === 'approved').length,
          plan.required_approvals,
        )}
      </p>
      <progress max={120} value={Math.min(120, leftS)} aria-label={words.expiresIn(leftS)} />
      <HoldButton
        key={plan.hash}
        class="approve"
        holdMs={HOLD_MS}
        whyNot={why}
        onConfirmed={() => approve(engagement, plan)}
      >
        {words.approve}
      </HoldButton>
      <Reason>{why}</Reason>
    </div>
  );
}

/** Approves the plan that the person read, in the picture that the person saw. If either is outdated, the box refuses. */
function approve(engagement: Engagement, { id: plan_id, hash }: Plan): void {
  const situation = store.situation.peek();
  if (!situation) return;
  const { seq, epoch } = situation;
  const reason = words.approvedHere;
  void attempt(() => calls.approve({ engagement_id: engagement.id, plan_id, hash, seq, epoch, reason }));
}

function whyNotApproved(engagement: Engagement, plan: Plan, hasChanged: boolean, leftS: number): string | null {
  const forbiddenNow = forbidden('approve');
  if (forbiddenNow !== null) return forbiddenNow;
  const { userId, token } = session.value;
  if (plan.required_approvals > 1 && token === null) return words.twoPersonsSignIn;
  if (userId !== null && engagement.proposed_by?.user_id === userId && plan.required_approvals > 1)
    return words.youProposed;
  if (userId !== null && engagement.approvals.some((one) => one.user_id === userId && one.decision === 'approved'))
    return words.youApproved;
  if (hasChanged) return words.planChanged;
  if (leftS === 0) return words.planExpired;
  const track = store.tracks.get(plan.track_id);
  if (!track) return words.trackGone;
  return track.state === 'lost' ? words.trackLost : null;
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

function FlownCard({ engagement }: { engagement: Engagement }) {
  return (
    <article class="card flown" aria-label={words.engagementOf(trackNumber(engagement.track_id))}>
      <h3>
        {trackNumber(engagement.track_id)} · {engagement.state}
      </h3>
      {engagement.tasks.map((task) => (
        <Facts key={task.id}>
          <Fact name={assetName(task.asset_id)}>
            {words.verb(task.verb)} · {task.phase.replace('_', ' ')}
          </Fact>
          <Fact name={words.distance}>{task.distance_m === null ? '?' : distanceText(task.distance_m)}</Fact>
          <Fact name={words.closest}>{task.closest_m === null ? '?' : distanceText(task.closest_m)}</Fact>
          {task.breaches > 0 ? <Fact name={words.breaches}>{task.breaches}</Fact> : null}
        </Facts>
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
