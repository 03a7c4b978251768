import type { Held } from './held_alerts.ts';
import type { RuleEvent } from './rule_events.ts';

/**
 * Index of alerts by subject and by the keys of their events. An alert gets another subject, and gets and loses events,
 * only through this class, so that the index stays correct.
 */
export class AlertPlaces {
  /** Continuing alerts, and alerts that ended within the cool-down, by the key of their subject (`homeOf`). */
  readonly #byHome = new Map<string, Held>();
  /** Continuing alerts by the keys of their events. */
  readonly #byEvent = new Map<string, Held>();

  at(home: string): Held | undefined {
    return this.#byHome.get(home);
  }

  ofEvent(key: string): Held | undefined {
    return this.#byEvent.get(key);
  }

  /** Returns the alerts of all subjects in a new array, so that callers can change the index while they iterate. */
  all(): Held[] {
    return [...this.#byHome.values()];
  }

  /** Enters an alert as the current alert of its subject. */
  take(held: Held): void {
    this.#byHome.set(held.home, held);
  }

  /** Changes the subject of an alert to the key `home`. */
  move(held: Held, home: string): void {
    this.#byHome.delete(held.home);
    held.home = home;
    this.take(held);
  }

  /** Removes an alert from the index by subject, unless a newer alert has the same subject. */
  forget(held: Held): void {
    if (this.#byHome.get(held.home) === held) this.#byHome.delete(held.home);
  }

  /** Adds an event to an alert, or replaces the event with the same key. */
  place(held: Held, event: RuleEvent): void {
    held.events.set(event.key, event);
    this.#byEvent.set(event.key, held);
  }

  /** Removes an event from its alert. */
  end(held: Held, key: string): void {
    held.events.delete(key);
    this.#byEvent.delete(key);
  }

  /** Removes all events from an alert. */
  leave(held: Held): void {
    for (const key of held.events.keys()) if (this.#byEvent.get(key) === held) this.#byEvent.delete(key);
    held.events.clear();
  }
}
