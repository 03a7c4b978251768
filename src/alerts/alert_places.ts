import type { Held } from './held_alerts.ts';
import type { RuleEvent } from './rule_events.ts';

/** Index of the alerts by their subject, and by the events of rules in them. Each change of these goes through here. */
export class AlertPlaces {
  /** Continuing alerts, and recently ended ones. */
  readonly #byHome = new Map<string, Held>();
  /** Continuing alerts by the keys of their events. */
  readonly #byEvent = new Map<string, Held>();

  at(home: string): Held | undefined {
    return this.#byHome.get(home);
  }

  ofEvent(key: string): Held | undefined {
    return this.#byEvent.get(key);
  }

  /** The alerts of all subjects, as a list of its own: callers change them. */
  all(): Held[] {
    return [...this.#byHome.values()];
  }

  /** Makes an alert that of its subject. */
  take(held: Held): void {
    this.#byHome.set(held.home, held);
  }

  /** Gives an alert another subject. */
  move(held: Held, home: string): void {
    this.#byHome.delete(held.home);
    held.home = home;
    this.take(held);
  }

  /** Forgets the subject of an alert, unless a newer alert has it. */
  forget(held: Held): void {
    if (this.#byHome.get(held.home) === held) this.#byHome.delete(held.home);
  }

  /** Adds an event to an alert, or replaces it. */
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
