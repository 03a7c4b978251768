import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engagement, Plan, PlanLeg } from '../../model/engagement.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { ActButton, Fact, Facts, Reason } from '../parts/field.tsx';
import { useHeld, useKeptRows } from '../parts/held_rows.ts';
import { HoldButton } from '../parts/hold_button.tsx';
import { useMoved } from '../parts/moved.ts';
import { Steady } from '../parts/steady.tsx';
import { useSteadyGroups } from '../parts/steady_groups.ts';
import { type Approver, type Choice, isWaiting, rankChoices } from '../state/approvable.ts';
import { announce, attempt } from '../state/attempt.ts';
import { type Fold, foldBy } from '../state/fold.ts';
import type { KeptRow } from '../state/held_order.ts';
import { assetName, trackNumber } from '../state/names.ts';
import { planFoldOf } from '../state/rank.ts';
import { selectTrack } from '../state/select.ts';
import { session } from '../state/session.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { clockText, distanceText } from '../words/units.ts';
import { FlownCard } from './flown_card.tsx';
import { StoppedBefore } from './stopped.tsx';

/** Ids of the plans that this screen approved as the last person needed. */
const approvedHere = new Set<string>();

const HOLD_MS = 1_000;
/**
 * Time after a change of a plan during which it cannot be approved, ms: a person may be pressing the button already.
 */
const CHANGED_MS = 1_500;

/** Facts about this person and screen that decide which plans can be approved. Subscribes the caller to changes. */
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

/** Sentence if a vehicle works for another engagement: the daemon would refuse the plan. Null where it is free. */
function busySentence(assetId: string, engagementId: string): string | null {
  const flown = store.engagements.list().find((one) => one.id !== engagementId && worksWith(one, assetId));
  return flown === undefined ? null : words.vehicleBusy(assetName(assetId), trackNumber(flown.track_id));
}

const worksWith = ({ state, tasks }: Engagement, assetId: string): boolean =>
  (state === 'approved' || state === 'executing') &&
  tasks.some((task) => task.asset_id === assetId && (store.tasks.get(task.id) ?? task).ended_at === null);

/** Card of the panel: a plan in execution, or plans that wait for a person. */
type Card = { key: string; flown: Engagement | null; choice: Choice | null };

/**
 * Cards in their order: plans in execution first, so that a person finds a flying vehicle at once. The key of a card is
 * usually the track's id. The card thus stays when a new proposal replaces the old one, or when a person approves a
 * plan. A further engagement about the track has its own id as key, so it never takes the place of a plan in execution.
 */
function cardsOf(engagements: readonly Engagement[]): Card[] {
  const taken = new Set<string>();
  const keyOf = ({ id, track_id }: Engagement): string => {
    const key = taken.has(track_id) ? id : track_id;
    taken.add(key);
    return key;
  };
  const flown = engagements
    .filter((one) => !isWaiting(one))
    // A plan without an approval was started automatically, so no waiting card becomes its card.
    .map((one) => ({ key: one.approvals.length === 0 ? one.id : keyOf(one), flown: one, choice: null }));
  const waiting = rankChoices(engagements, approver());
  return [...flown, ...waiting.map((choice) => ({ key: keyOf(choice.engagement), flown: null, choice }))];
}

/**
 * Engagements: plans that wait for a person, and plans in execution. While a person points at the cards, each keeps its
 * place and its height. A card that is over stays, disabled, so that no other card moves under the finger.
 */
export function ApprovalsPanel() {
  const engagements = store.engagements.list();
  const { isHeld, list } = useHeld<HTMLDivElement>(true);
  const cards = useKeptRows(cardsOf(engagements), ({ key }) => key, isHeld);
  const foldKeys = useFoldKeys(cards, isHeld);
  const keyOf = ({ row }: { row: Card }): string | null => foldKeys.get(row.key) ?? null;
  const [opened, setOpened] = useState<ReadonlySet<string | null>>(new Set());
  const folds = foldBy(cards, keyOf).map(inFixedOrder);
  const shown = folds.flatMap(({ first, others }) => [first, ...(opened.has(keyOf(first)) ? others : [])]);
  const foldOf = new Map(folds.map((fold) => [fold.first, fold]));
  const isHead = (card: (typeof shown)[number]): boolean => (foldOf.get(card)?.others.length ?? 0) > 0;
  return (
    <section class="approvals" aria-label={words.approvals}>
      {/* Always there: the buttons below must not move when the order is held. */}
      <p class="order">{isHeld ? words.orderHeld : words.approvalsOrder}</p>
      <StoppedBefore />
      {cards.length === 0 ? <p class="empty">{words.noEngagements}</p> : null}
      <div ref={list}>
        {shown.map((card, place) => {
          const { row, isOver } = card;
          const fold = foldOf.get(card);
          return (
            <Fragment key={row.key}>
              <Steady isHeld={isHeld}>
                {row.flown === null ? null : <FlownCard engagement={row.flown} isOver={isOver} />}
                {row.choice === null ? null : (
                  <WaitingCard {...row.choice} {...{ isOver, isHeld, above: rowsOf(shown.slice(0, place), isHead) }} />
                )}
              </Steady>
              {fold === undefined || fold.others.length === 0 ? null : (
                <button
                  type="button"
                  class="swarm"
                  aria-expanded={opened.has(keyOf(card))}
                  onClick={() => setOpened(toggled(opened, keyOf(card)))}
                >
                  <span aria-hidden="true">{opened.has(keyOf(card)) ? '▾' : '▸'}</span>{' '}
                  {words.swarmPlans(fold.others.length, row.choice?.isOpen === true)}
                </button>
              )}
            </Fragment>
          );
        })}
      </div>
    </section>
  );
}

/**
 * A fold whose first card does not depend on the order of the list, which changes with scores from second to second: a
 * person who reads an open fold must not lose it.
 */
function inFixedOrder({ first, others }: Fold<KeptRow<Card>>): Fold<KeptRow<Card>> {
  const [head = first, ...rest] = [first, ...others].sort((a, b) => a.row.key.localeCompare(b.row.key));
  return { first: head, others: rest };
}

/**
 * Key by which a card is folded; null for one that stands alone. A plan in execution does, and so does one that waits
 * for a second person.
 */
function foldKeyOf({ choice }: Card, groups: ReadonlyMap<string, string | null>): string | null {
  if (choice === null || choice.engagement.state === 'pending_approval') return null;
  const { track_id: id } = choice.engagement;
  const [track, threat] = [store.tracks.get(id), store.threats.get(id)];
  const key = track && threat ? planFoldOf({ track, threat }, groups.get(id) ?? null) : null;
  return key === null ? null : `${key} ${choice.isOpen}`;
}

/**
 * Keys by which the waiting cards are folded, by card. The plans about a swarm are much alike, so only the first is
 * open. While a person points at the cards, each keeps its key, and a new one stands alone at the end: no card may come
 * between others.
 */
function useFoldKeys(cards: readonly { row: Card }[], isHeld: boolean): ReadonlyMap<string, string | null> {
  const before = useRef<ReadonlyMap<string, string | null>>(new Map());
  const tracks = cards.flatMap(({ row: { choice } }) => store.tracks.get(choice?.engagement.track_id ?? null) ?? []);
  const groups = useSteadyGroups(tracks, isHeld);
  const keys = new Map(
    cards.map(({ row }) => {
      const now = foldKeyOf(row, groups);
      return [row.key, isHeld && now !== null ? (before.current.get(row.key) ?? null) : now];
    }),
  );
  before.current = keys;
  return keys;
}

function toggled(keys: ReadonlySet<string | null>, key: string | null): ReadonlySet<string | null> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Names the rows of cards: a button below them moves when it changes. `isHead`: a button to open a fold follows. */
const rowsOf = <T extends { row: Card }>(cards: readonly T[], isHead: (card: T) => boolean): string =>
  cards.map((card) => `${card.row.key} ${card.row.choice?.plans.length ?? 0} ${isHead(card)}`).join();

/** Key of a plan's panel entry. A changed plan with the same response and the same vehicles keeps the entry. */
const planKey = ({ response, legs }: Plan): string =>
  [response, ...new Set(legs.map(({ asset_id }) => asset_id))].join(' ');
/** The first 8 digits of the hash, which two people can compare. The prefix with the hash method is left out. */
const shortHash = ({ hash }: Plan): string => hash.slice(hash.indexOf(':') + 1).slice(0, 8);

type Waiting = Choice & {
  isOver: boolean;
  isHeld: boolean;
  /** Names the rows above the card (`rowsOf`). */
  above: string;
};

function WaitingCard({ engagement, plans: all, impossible, isOpen: mayOpen, isOver, isHeld, above }: Waiting) {
  const hasMoved = useMoved(above);
  const isOpen = mayOpen && !isOver;
  const plans = useKeptRows(all, ({ plan }) => planKey(plan), isHeld).map((kept) => {
    const isPlanOver = isOver || kept.isOver;
    return { ...kept.row, why: isPlanOver ? overWord(kept.row.plan) : kept.row.why, isOver: isPlanOver };
  });
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
        {/* The button is above the plans, whose number changes, so that it does not move. */}
        <ActButton
          class="reject"
          whyNot={isOver ? words.planOver : forbidden('safer')}
          onPress={() => (hasMoved() ? announce(words.notRejectedMoved) : void reject(engagement))}
        >
          {words.reject}
        </ActButton>
      </h3>
      {/* Always there, with room for two lines: the buttons below must not move when a reason comes or goes. */}
      <p class={`verdict ${isOpen ? '' : 'reason'}`}>{common ?? (isOpen ? whichWait(plans) : words.eachPlanSays)}</p>
      {plans.map((one, place) => (
        <Steady key={planKey(one.plan)} isHeld={isHeld}>
          <PlanCard {...one} {...{ engagement, isSaidAbove: common !== null, above: `${above} ${place}` }} />
        </Steady>
      ))}
      {/* The approvals are below the plans: a new approval must not move the buttons of the plans. */}
      {engagement.approvals.map(({ by, at, decision }) => (
        <p key={`${by} ${at}`}>
          {decision} by <bdi>{words.person(by)}</bdi> {clockText(at)}
        </p>
      ))}
      {impossible.map((plan) => (
        <details key={plan.id} open={plans.length === 0}>
          <summary>{words.impossible(plan.response, words.spoken(plan.infeasible_reasons[0]?.text ?? ''))}</summary>
          <ul>
            {plan.infeasible_reasons.map(({ asset_id, text }) => (
              <li key={`${asset_id} ${text}`}>{words.spoken(text)}</li>
            ))}
          </ul>
        </details>
      ))}
    </article>
  );
}

/** Sentence about an open card: the plans that can be approved, where others cannot. */
function whichWait(plans: readonly { plan: Plan; why: string | null }[]): string {
  const open = plans.filter(({ why }) => why === null);
  if (open.length === plans.length) return words.waitsForYou;
  return words.someWait(open.map(({ plan }) => words.response(plan.response)));
}

/** Sentence about a plan that is over; one that this screen approved was not refused. */
const overWord = ({ id }: Plan): string => (approvedHere.has(id) ? words.planApproved : words.planOver);

/** Whether the plan's content changed a short while ago, so that the person may not have read it. */
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
  /** Reason why the plan cannot be approved now; null where it can. */
  why: string | null;
  /** Whether the top of the card already shows `why`. */
  isSaidAbove: boolean;
  /** Seconds until the plan expires: a property, since only a changed property or signal draws the card again. */
  leftS: number;
  isOver: boolean;
  /** Names the rows above the plan. */
  above: string;
};

function PlanCard({ engagement, plan, why: whyNot, isSaidAbove, leftS: seconds, isOver, above }: PlanProps) {
  const hasMoved = useMoved(above);
  const hasChanged = useChanged(plan.hash);
  const why = whyNot ?? (hasChanged ? words.planChanged : null);
  return (
    <div class="plan" data-open={why === null}>
      <h4>
        {words.response(plan.response)} <span class="quiet">{terms.responseHint(plan.response)}</span>
      </h4>
      {isSaidAbove ? null : <Reason>{whyNot}</Reason>}
      {plan.legs.map((leg) => (
        <LegFacts key={`${leg.asset_id} ${leg.verb}`} leg={leg} />
      ))}
      {plan.risks.map((risk) => (
        <p key={risk} class="flag">
          {words.spoken(risk)}
        </p>
      ))}
      {/* With room for three lines: a longer age must not move the button. */}
      <p class="quiet life">
        {words.madeAgo(clock.ageS(engagement.created_at))} · {lifeOf(seconds, isOver)} · {words.plan}{' '}
        <code title={words.planHash}>{shortHash(plan)}</code> ·{' '}
        {words.approvalsOf(
          engagement.approvals.filter(({ decision }) => decision === 'approved').length,
          plan.required_approvals,
        )}
      </p>
      <progress max={120} value={isOver ? 0 : Math.min(120, seconds)} aria-label={lifeOf(seconds, isOver)} />
      <HoldButton
        key={plan.hash}
        class="approve"
        holdMs={HOLD_MS}
        whyNot={why}
        whyNotYet={() => (hasMoved() ? words.planMoved : null)}
        onConfirmed={() => approve(engagement, plan)}
      >
        {why === null ? (
          <>
            {words.approve(words.response(plan.response))} <span class="number">{trackNumber(plan.track_id)}</span>
          </>
        ) : (
          words[approvedHere.has(plan.id) ? 'isApproved' : 'cannotApprove']
        )}
      </HoldButton>
      {/* The reason is below the button, which must not move under the finger. */}
      <Reason>{whyNot === null ? why : null}</Reason>
    </div>
  );
}

/** Time that a plan has left, in words. */
function lifeOf(seconds: number, isOver: boolean): string {
  if (isOver) return words.ended;
  return seconds === 0 ? words.expired : words.expiresIn(seconds);
}

/** Approves the plan that the person read, in the picture that the person saw. The daemon refuses outdated ones. */
function approve(engagement: Engagement, { id: plan_id, hash, response, track_id }: Plan): void {
  const situation = store.situation.peek();
  if (!situation) return;
  const { seq, epoch } = situation;
  const reason = words.approvedHere;
  const say = words.approved(words.response(response), trackNumber(track_id));
  void attempt(() => calls.approve({ engagement_id: engagement.id, plan_id, hash, seq, epoch, reason })).then(
    (done) => {
      if (done === null) return;
      if (done.state !== 'pending_approval') approvedHere.add(plan_id);
      announce(say);
    },
  );
}

/** Rejects the plans about a track, and announces it, because the card disappears. */
async function reject(engagement: Engagement): Promise<void> {
  const say = words.rejectedPlans(trackNumber(engagement.track_id));
  if ((await attempt(() => calls.reject(engagement.id, words.rejectedHere))) !== null) announce(say);
}

function arrival(etaS: number | null): string {
  if (etaS === null) return words.unknown;
  return etaS < 1 ? words.atOnce : words.aboutIn(etaS);
}

function LegFacts({ leg }: { leg: PlanLeg }) {
  return (
    <Facts>
      <Fact name={words.vehicle}>
        <strong>
          <bdi>{assetName(leg.asset_id)}</bdi>
        </strong>
        : {words.verb(leg.verb)}
      </Fact>
      <Fact name={words.there}>{arrival(leg.eta_s)}</Fact>
      <Fact name={words.closest}>{leg.closest_m === null ? words.unknown : distanceText(leg.closest_m)}</Fact>
      <Fact name={words.energyHome}>
        {leg.energy_after_pct === null ? words.unknown : `${Math.round(leg.energy_after_pct)} %`}
      </Fact>
    </Facts>
  );
}
