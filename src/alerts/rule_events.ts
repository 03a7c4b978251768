import { type Alert, type AlertStep, MOST_STEPS, severityRank } from '../model/alert.ts';
import type { Firing } from '../model/firing.ts';
import type { KeptAlert, KeptEvent } from '../store/alerts.ts';

/** A continuing event of a rule within an alert. */
export type RuleEvent = KeptEvent & {
  /**
   * World time until which an event from before a restart waits for a new report of its rule, ms. Without a report, the
   * event then ends, or waits on while its cause is `unseen`. Null if the rule reported the event since the restart.
   */
  unsureUntilMs: number | null;
};

const MOST_TRACKS = 50;

/**
 * Returns the key of the subject to which a firing belongs. Firings about a zone or the whole site, such as several
 * tracks at once, have separate keys. Other firings about one subject have the same key and form one alert.
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

/**
 * Returns the event that an alert shows: the most severe event; among equally severe events, the one that began last.
 */
export function worstOf(events: Iterable<RuleEvent>): RuleEvent | undefined {
  let worst: RuleEvent | undefined;
  for (const event of events) if (!worst || severityRank(event.severity) >= severityRank(worst.severity)) worst = event;
  return worst;
}

/** Returns the fields of an alert that come from its most severe event. */
export function shownOf({ ruleId, ruleVersion, severity, subject, text, zoneId }: RuleEvent) {
  return { rule_id: ruleId, rule_version: ruleVersion, severity, subject, text, zone_id: zoneId };
}

/**
 * Returns the track ids of all events of an alert, those of the most severe event first, and the greatest track count
 * of an event. Ids of the other events are added up to `MOST_TRACKS`.
 */
export function membersOf(worst: RuleEvent, events: Iterable<RuleEvent>): Pick<Alert, 'track_ids' | 'count'> {
  const ids = new Set(worst.trackIds);
  let count = worst.count;
  for (const event of events) {
    for (const id of event.trackIds) if (ids.size < MOST_TRACKS) ids.add(id);
    count = Math.max(count, event.count);
  }
  return { track_ids: [...ids], count };
}

/** Returns a new active alert with its first event. */
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
 * Adds a step to the history of an alert if no earlier step has the same rule, zone and at least the same severity.
 * Also adds a step if `grew` is true: the alert became worse and sounds again. Otherwise returns the same list. Beyond
 * `MOST_STEPS`, the second step is dropped: the first step stays, because it shows how the alert began.
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

/** Returns the most severe step of an alert as an event with the given key; undefined for an alert without steps. */
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

/**
 * Returns the subject key and the events of a stored alert. Earlier versions stored no events; in their rows, `key` is
 * the key of the only event. For such an alert that is not cleared, the event is rebuilt from the most severe step.
 */
export function placedAs(alert: Alert, key: string, events: readonly KeptEvent[]): Pick<KeptAlert, 'key' | 'events'> {
  const worst = worstStep(alert, key);
  if (events.length > 0 || alert.state === 'cleared' || worst === undefined) return { key, events };
  const { unsureUntilMs: _unsure, ...event } = worst;
  return { key: homeOf({ subject: alert.subject, key }), events: [event] };
}
