import type { Severity } from '../model/event.ts';
import type { LinkRunner } from './link_runner.ts';

export type News = { kind: string; severity: Severity; text: string };

/** What of a link is worth a line of the log: that it opened, or went down. Its tries to open again are no news. */
export class LinkNews {
  readonly #told = new Map<string, 'up' | 'down'>();

  of(link: LinkRunner): News | null {
    const { state, lastError } = link.status();
    const now = state === 'open' ? 'up' : state === 'backoff' || state === 'failed' ? 'down' : null;
    if (now === null || this.#told.get(link.id) === now) return null;
    this.#told.set(link.id, now);
    const { name } = link.spec;
    if (now === 'up') return { kind: 'link.up', severity: 'notice', text: `link ${name} is open` };
    return { kind: 'link.down', severity: 'warning', text: `link ${name} is down: ${lastError ?? state}` };
  }

  forget(id: string): void {
    this.#told.delete(id);
  }
}
