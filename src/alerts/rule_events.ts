import { type Alert, type AlertStep, MOST_STEPS, severityRank } from '../model/alert.ts';
import type { Firing } from '../model/firing.ts';
import type { KeptAlert, KeptEvent } from '../store/alerts.ts';

/** A continuing event of a rule within an alert. */
export type RuleEvent = KeptEvent & {
  /** World time at which an event of an earlier run or core ends, unless its rule reports it again, ms. */
  unsureUntilMs: number | null;
};

const MOST_TRACKS = 50;

/**
 * Key of an alert's subject: all rules that hold about one track, group, sensor or part of the box form one alert.
 * Several tracks that only came at the same time form an alert of their own.
 */
export function homeOf({ subject: { type, id }, key }: Pick<Firing, 'subject' | 'key'>): string {
  const isGathering = type === 'zone' || (type === 'site' && id === 'site');
  return isGathering ? `event:${key}` : `${type}:${id}`;
}

export function eventOf(firing: Firing): RuleEvent {
  const { key, ruleId, ruleVersion, severity, subject, text, zoneId, count } = firing;
  const trackIds = [...firing.trackIds];
  return { key, ruleId, ruleVersion, severity, subject, text, trackIds, zoneId, count, unsureUntilMs: null };
}

/** The event that an alert shows: the most severe; of equal ones the one that began last. */
export function worstOf(events: Iterable<RuleEvent>): RuleEvent | undefined {
  let worst: RuleEvent | undefined;
  for (const event of events) if (!worst || severityRank(event.severity) >= severityRank(worst.severity)) worst = event;
  return worst;
}

/** Fields of an alert that come from its most severe event. */
export function shownOf({ ruleId, ruleVersion, severity, subject, text, zoneId }: RuleEvent) {
  return { rule_id: ruleId, rule_version: ruleVersion, severity, subject, text, zone_id: zoneId };
}

/** Track ids and track count of an alert, over all its events. Ids of the most severe event come first. */
export function membersOf(worst: RuleEvent, events: Iterable<RuleEvent>): Pick<Alert, 'track_ids' | 'count'> {
  const ids = new Set(worst.trackIds);
  let count = worst.count;
  for (const event of events) {
    for (const id of event.trackIds) if (ids.size < MOST_TRACKS) ids.add(id);
    count = Math.max(count, event.count);
  }
  return { track_ids: [...ids], count };
}

/** An alert as it is raised by its first event. */
export function newAlert(id: string, event: RuleEvent, at: string): Alert {
  return {
    id,
    ...shownOf(event),
    ...membersOf(event, []),
    state: 'active',
    steps: stepped([], event, at, false),
    raised_at: at,
    updated_at: at,
    escalated_at: null,
    acknowledged: null,
    cleared_at: null,
    cleared_reason: null,
    settled_at: null,
  };
}

/**
 * Adds a step where the rule is new in the alert, became more severe, or its event grew; else returns the same list.
 * Beyond MOST_STEPS the second step is dropped, since the first one shows how the alert began.
 */
export function stepped(
  steps: readonly AlertStep[],
  { ruleId: rule_id, zoneId: zone_id, severity, text }: RuleEvent,
  at: string,
  grew: boolean,
): AlertStep[] {
  const rank = severityRank(severity);
  const isKnown = steps.some(
    (step) => step.rule_id === rule_id && step.zone_id === zone_id && severityRank(step.severity) >= rank,
  );
  if (isKnown && !grew) return steps as AlertStep[];
  const next = [...steps, { at, rule_id, zone_id, severity, text }];
  if (next.length > MOST_STEPS) next.splice(1, next.length - MOST_STEPS);
  return next;
}

/** The most severe step of an alert as an event, for the text of an alert that is over. */
export function worstStep(
  { steps, rule_version, subject, track_ids, count }: Alert,
  key: string,
): RuleEvent | undefined {
  return worstOf(
    steps.map(({ rule_id: ruleId, zone_id: zoneId, severity, text }) => {
      const about = { ruleVersion: rule_version, subject, trackIds: track_ids, count };
      return { key, ruleId, zoneId, severity, text, ...about, unsureUntilMs: null };
    }),
  );
}

/** Key and events of a stored alert. An alert of an earlier version has the key of its only event. */
export function placedAs(alert: Alert, key: string, events: readonly KeptEvent[]): Pick<KeptAlert, 'key' | 'events'> {
  const worst = worstStep(alert, key);
  if (events.length > 0 || alert.state === 'cleared' || worst === undefined) return { key, events };
  const { unsureUntilMs: _unsure, ...event } = worst;
  return { key: homeOf({ subject: alert.subject, key }), events: [event] };
}
