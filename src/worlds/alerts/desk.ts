import { type Actor, actorLabel } from '../../model/actor.ts';
import { type Alert, severityRank } from '../../model/alert.ts';
import { Fault } from '../../model/fault.ts';
import type { Ledger } from '../../store/ledger.ts';
import { readCursor, writeCursor } from '../../store/log/cursor.ts';
import type { AlertBook } from './book.ts';

export type AlertsAsked = {
  state: Alert['state'] | null;
  /** This severity and those above it. */
  severity: Alert['severity'] | null;
  sinceMs: number | null;
  untilMs: number | null;
  limit: number;
  cursor: string | null;
};

/** What people ask of alerts and do with them: those at hand, and those that are long over. */
export class AlertDesk {
  readonly #book: AlertBook;
  readonly #ledger: Ledger;
  readonly #workspaceId: string;

  constructor(book: AlertBook, ledger: Ledger, workspaceId: string) {
    this.#book = book;
    this.#ledger = ledger;
    this.#workspaceId = workspaceId;
  }

  /** The newest first. */
  list({ state, severity, cursor, ...asked }: AlertsAsked): { rows: Alert[]; nextCursor: string | null } {
    const leastRank = severity === null ? 0 : severityRank(severity);
    const after = cursor === null ? null : readCursor('alerts', cursor);
    const { rows, next } = this.#book.keeper.page({ ...asked, state, leastRank, after });
    // Words are written to the disk a moment later than they are told.
    const now = rows.map((row) => this.#book.get(row.id) ?? row);
    return { rows: now, nextCursor: next && writeCursor('alerts', next) };
  }

  /** Throws `not_found`. */
  get(id: string): Alert {
    const alert = this.#book.get(id) ?? this.#book.keeper.get(id);
    if (!alert) throw new Fault('not_found', `there is no alert with the id ${id} in this workspace`);
    return alert;
  }

  /** The first who has seen it is told of; a second time changes nothing. */
  acknowledge(id: string, note: string | null, by: Actor): Alert {
    const was = this.get(id);
    if (was.acknowledged !== null) return was;
    const at = this.#ledger.nowText();
    const over = was.state === 'cleared';
    const alert: Alert = {
      ...was,
      state: over ? 'cleared' : 'acknowledged',
      acknowledged: { by: actorLabel(by), at, note },
      updated_at: at,
      settled_at: was.settled_at ?? (over ? at : null),
    };
    const kept = this.#book.keptAs(alert);
    this.#ledger.change('The acknowledgement of the alert', () => {
      const notice = { kind: 'alert_update', severity: alert.severity, at, body: alert } as const;
      this.#book.keeper.save([kept], kept.notify ? [notice] : []);
      return { result: undefined, deed: this.#deed(was, alert, by) };
    });
    this.#book.saved(alert);
    return alert;
  }

  #deed(was: Alert, alert: Alert, by: Actor) {
    const { id, rule_id: label, acknowledged } = alert;
    return {
      kind: 'alert.acknowledged',
      text: `${actorLabel(by)} has seen the alert: ${alert.text}`,
      by,
      workspaceId: this.#workspaceId,
      subject: { type: 'alert', id, label },
      before: { state: was.state, severity: was.severity },
      after: { state: alert.state, acknowledged },
      reason: acknowledged?.note ?? null,
    };
  }
}
