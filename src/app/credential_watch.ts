import type { CredentialHolder } from '../edge/link/tls/holder.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { LogKind } from '../model/log_kind.ts';
import { type CredentialOwner, endSentence } from './credential_store.ts';

/** A link or outlet with its credentials. */
type Watched = {
  id: string;
  spec: { name: string; transport: string; enabled: boolean };
  credentials: CredentialHolder;
};

type CredentialWatchDeps = {
  watched(): Readonly<Record<CredentialOwner, readonly Watched[]>>;
  utcMs(): number;
  note(kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject']): void;
};

const kinds = { link: 'link.expiring', outlet: 'outlet.expiring' } as const;

/**
 * Logs certificates that end within 30 days or have ended, once a day (UTC) for each enabled link and outlet with the
 * transport `tls_client`.
 */
export class CredentialWatch {
  readonly #deps: CredentialWatchDeps;
  /**
   * Mark of the last log row, by kind and id of the owner. A mark is the day of the row and the end of the certificate.
   */
  readonly #noted = new Map<string, string>();

  constructor(deps: CredentialWatchDeps) {
    this.#deps = deps;
  }

  everySecond(): void {
    const utcMs = this.#deps.utcMs();
    const day = new Date(utcMs).toISOString().slice(0, 10);
    const watched = this.#deps.watched();
    const present = new Set<string>();
    for (const of of ['link', 'outlet'] as const)
      for (const one of watched[of]) {
        const key = `${of} ${one.id}`;
        present.add(key);
        if (one.spec.enabled && one.spec.transport === 'tls_client') this.#look(of, key, one, { utcMs, day });
      }
    for (const key of this.#noted.keys()) if (!present.has(key)) this.#noted.delete(key);
  }

  #look(
    of: CredentialOwner,
    key: string,
    { id, spec, credentials }: Watched,
    now: { utcMs: number; day: string },
  ): void {
    const view = credentials.view();
    const sentence = endSentence(view, now.utcMs);
    // The mark contains the end of the certificate. A replacement that also ends soon is thus logged on the same day.
    const mark = `${now.day} ${view?.not_after}`;
    if (sentence === null || this.#noted.get(key) === mark) return;
    this.#noted.set(key, mark);
    const text = `the ${of} ${spec.name} needs care: ${sentence}`;
    this.#deps.note(kinds[of], 'warning', text, { type: of, id, label: spec.name });
  }
}
