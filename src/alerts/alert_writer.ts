import type { Alert } from '../model/alert.ts';
import { sentenceOf } from '../model/fault.ts';
import type { Notice } from '../model/webhook.ts';
import type { AlertStore, KeptAlert } from '../store/alerts.ts';
import type { Held } from './held_alerts.ts';

/** Minimum interval between two writes without an urgent change, ms. A new text of an alert is not urgent. */
const WORDS_EVERY_MS = 5_000;
/** Limit of unsaved alerts, and of unsaved notices, during a disk failure. The oldest are dropped first. */
const MOST_WAITING = 10_000;
const PRUNE_EVERY_MS = 600_000;

/** Writes alerts, and notices for webhooks, to the disk. After a disk failure, published alerts stay published. */
export class AlertWriter {
  readonly #store: AlertStore;
  readonly #trouble: (sentence: string) => void;
  #dirty = new Map<string, Held>();
  #notices: Notice[] = [];
  /** True if an unsaved change must be written at the next `save`, without waiting for the interval. */
  #urgent = false;
  #wordsDueMs = 0;
  #pruneDueMs = PRUNE_EVERY_MS;

  constructor(store: AlertStore, trouble: (sentence: string) => void) {
    this.#store = store;
    this.#trouble = trouble;
  }

  note(held: Held, urgent: boolean): void {
    this.#dirty.set(held.alert.id, held);
    this.#urgent ||= urgent;
  }

  send(notice: Notice): void {
    this.#notices.push(notice);
    this.#urgent = true;
  }

  unsaved(): Alert[] {
    return Array.from(this.#dirty.values(), ({ alert }) => alert);
  }

  /** Removes an alert from the unsaved ones, after another part wrote it to the disk. */
  written(id: string): void {
    this.#dirty.delete(id);
  }

  /** Writes all unsaved changes now. */
  flush(nowMs: number): void {
    this.#urgent = true;
    this.save(nowMs);
  }

  /** Writes the changes that are due. After a disk failure, a later call tries again. */
  save(nowMs: number): void {
    if (this.#dirty.size === 0 && this.#notices.length === 0) return;
    if (!this.#urgent && nowMs < this.#wordsDueMs) return;
    for (const id of this.#dirty.keys()) {
      if (this.#dirty.size <= MOST_WAITING) break;
      this.#dirty.delete(id);
    }
    this.#urgent = false;
    this.#wordsDueMs = nowMs + WORDS_EVERY_MS;
    try {
      this.#store.save(Array.from(this.#dirty.values(), keptOf), this.#notices)();
    } catch (thrown) {
      this.#trouble(sentenceOf(thrown));
      this.#notices.splice(0, this.#notices.length - MOST_WAITING);
      return;
    }
    this.#dirty = new Map();
    this.#notices = [];
  }

  /** Deletes old alerts every ten minutes. Call this about once a second. */
  prune(nowMs: number): void {
    if (nowMs < this.#pruneDueMs) return;
    this.#pruneDueMs = nowMs + PRUNE_EVERY_MS;
    try {
      this.#store.prune();
    } catch (thrown) {
      this.#trouble(sentenceOf(thrown));
    }
  }
}

/** Returns the database row of an alert in memory. */
export function keptOf({ alert, home: key, notify, events }: Held): KeptAlert {
  return { alert, key, notify, events: Array.from(events.values(), ({ unsureUntilMs: _unsure, ...event }) => event) };
}
