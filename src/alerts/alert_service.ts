import { type Actor, actorLabel } from '../model/actor.ts';
import { type Alert, severityRank } from '../model/alert.ts';
import { notFound } from '../model/fault.ts';
import type { Page, PageQuery } from '../model/page.ts';
import type { Ledger } from '../store/ledger.ts';
import { pageAfter } from '../store/log/cursor.ts';
import type { AlertLog } from './alert_log.ts';

/** Query of alerts. `severity` is the lowest severity to list; null lists all severities. */
type AlertsAsked = PageQuery & { state: Alert['state'] | null; severity: Alert['severity'] | null };

/** Lists alerts, and records acknowledgements by people. */
export class AlertService {
  readonly #log: AlertLog;
  readonly #ledger: Ledger;
  readonly #workspaceId: string;

  constructor(log: AlertLog, ledger: Ledger, workspaceId: string) {
    this.#log = log;
    this.#ledger = ledger;
    this.#workspaceId = workspaceId;
  }

  /** Returns a page of alerts, the newest first. */
  list({ severity, cursor, ...asked }: AlertsAsked): Page<Alert> {
    const leastRank = severity === null ? 0 : severityRank(severity);
    return pageAfter('alerts', cursor, (after) => {
      // During a disk failure, new alerts exist only in memory. They are the newest, so the first page begins with
      // them. Those beyond `limit` - 1 are not listed.
      const unstored = after === null ? this.#unstored(asked, leastRank).slice(0, asked.limit - 1) : [];
      const limit = asked.limit - unstored.length;
      const page = this.#log.store.page({ ...asked, leastRank, after, limit });
      const { next } = page;
      const rows = [...unstored, ...page.rows];
      // Changed texts are published before they are stored, so the alert in memory replaces its row.
      return { rows: rows.map((row) => this.#log.get(row.id) ?? row), next };
    });
  }

  /** Returns the alerts that fit the query and have no row in the database yet, the newest first. */
  #unstored({ state, sinceMs, untilMs }: Omit<AlertsAsked, 'severity' | 'cursor'>, leastRank: number): Alert[] {
    const fits = ({ severity, state: now, raised_at }: Alert): boolean =>
      severityRank(severity) >= leastRank &&
      (state === null || now === state) &&
      Date.parse(raised_at) >= (sinceMs ?? Number.NEGATIVE_INFINITY) &&
      Date.parse(raised_at) < (untilMs ?? Number.POSITIVE_INFINITY);
    return this.#log
      .unsaved()
      .filter((alert) => fits(alert) && this.#log.store.get(alert.id) === null)
      .sort((a, b) => b.raised_at.localeCompare(a.raised_at));
  }

  /** Returns an alert from memory or the database. Throws `not_found`. */
  get(id: string): Alert {
    const alert = this.#log.get(id) ?? this.#log.store.get(id);
    if (!alert) throw notFound(`there is no alert with the id ${id} in this workspace`);
    return alert;
  }

  /** Acknowledges an alert. Returns an already acknowledged alert unchanged. */
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
    const kept = this.#log.keptAs(alert);
    // On a full disk the change is repeated. Only the notice of the last try is on the disk.
    let send = (): void => {};
    this.#ledger.vital(() =>
      this.#ledger.change('The acknowledgement of the alert', () => {
        const notice = { kind: 'alert_update', severity: alert.severity, at, body: alert } as const;
        send = this.#log.store.save([kept], kept.notify ? [notice] : []);
        return { result: undefined, deed: this.#deed(was, alert, by) };
      }),
    );
    send();
    this.#log.saved(alert);
    return alert;
  }

  /**
   * Acknowledges the unacknowledged alerts in memory whose subject or only track is this track. Returns them. Alerts
   * about several tracks, such as those about a group, are left out.
   */
  acknowledgeTrack(trackId: string, note: string | null, by: Actor): Alert[] {
    const unseen = this.#log.ofTrack(trackId).filter(({ acknowledged }) => acknowledged === null);
    return unseen.map(({ id }) => this.acknowledge(id, note, by));
  }

  #deed(was: Alert, alert: Alert, by: Actor) {
    const { id, rule_id: label, acknowledged } = alert;
    return {
      kind: 'alert.acknowledged' as const,
      text: `${actorLabel(by)} acknowledged the alert${was.state === 'cleared' ? ', already over' : ''}: ${alert.text}`,
      by,
      workspaceId: this.#workspaceId,
      subject: { type: 'alert', id, label },
      before: { state: was.state, severity: was.severity },
      after: { state: alert.state, acknowledged },
      reason: acknowledged?.note ?? null,
    };
  }
}
