import type { Severity } from '../model/event.ts';
import type { LinkRunner } from './link_runner.ts';

/** A flood is one line in so long. */
const FULL_EVERY_MS = 5_000;

export type News = { kind: string; severity: Severity; text: string };

/** What of a link is worth a line of the log: that it opened, or went down. Its tries to open again are no news. */
export class LinkNews {
  readonly #told = new Map<string, 'up' | 'down'>();
  readonly #full = new Map<string, { count: number; atMs: number }>();

  of(link: LinkRunner): News | null {
    const { state, lastError } = link.status();
    const now = state === 'open' ? 'up' : state === 'backoff' || state === 'failed' ? 'down' : null;
    if (now === null || this.#told.get(link.id) === now) return null;
    this.#told.set(link.id, now);
    const { name } = link.spec;
    if (now === 'up') return { kind: 'link.up', severity: 'notice', text: `link ${name} is open` };
    return { kind: 'link.down', severity: 'warning', text: `link ${name} is down: ${lastError ?? state}` };
  }

  /** That sources found no place, at most every 5 s. */
  full(link: LinkRunner, nowMs: number): News | null {
    const count = link.sourcesUnplaced;
    const before = this.#full.get(link.id) ?? { count: 0, atMs: Number.NEGATIVE_INFINITY };
    if (count === before.count || nowMs - before.atMs < FULL_EVERY_MS) return null;
    this.#full.set(link.id, { count, atMs: nowMs });
    const text = `link ${link.spec.name}: ${count - before.count} messages of unproven sources found all places taken`;
    return { kind: 'link.sources_full', severity: 'warning', text };
  }

  forget(id: string): void {
    this.#told.delete(id);
    this.#full.delete(id);
  }
}
