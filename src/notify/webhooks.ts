import { randomBytes, randomUUID } from 'node:crypto';
import type { SealedSecrets } from '../access/sealed.ts';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import { Fault, sentenceOf } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import type { Delivery, MadeWebhook, Notice, Webhook, WebhookPatch, WebhookSpec } from '../model/webhook.ts';
import { alertSeverities } from '../model/zone.ts';
import type { Ledger } from '../store/ledger.ts';
import { readCursor, writeCursor } from '../store/log/cursor.ts';
import type { State } from '../store/state.ts';
import { type DeliveryRow, type DeliveryRows, deliveryRows, type WebhookRows, webhookRows } from '../store/webhooks.ts';
import { Courier } from './courier.ts';
import { type Hidden, type Hook, hookOf, rowOf, saidOf, shownUrl, toldOf } from './hook.ts';
import { withoutPrivate } from './private.ts';
import { isHushed, type QuietHours } from './quiet_hours.ts';
import { nextOf } from './retry.ts';
import type { Letter, Sender } from './send.ts';
import { signatureOf } from './signature.ts';

export type WebhookRim = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  secrets: SealedSecrets;
  /** Monotonic milliseconds. */
  nowMs(): number;
  utcMs(): number;
  send: Sender;
  random?: () => number;
  /** Clients are told that something of the workspace changed. */
  announce(body: { what: 'webhook'; id: string; version: number | null; by: string }): void;
  note(kind: string, severity: Severity, text: string, subject: LogEvent['subject']): void;
};

const MOST_WEBHOOKS = 20;
/** More than these between two writes would not be kept anyway. */
const MOST_OFFERED = 10_000;
const PUMP_EVERY_MS = 250;

/** Whom a workspace tells of its alerts: what owners said of each webhook, and what is on its way to it. */
export class Webhooks {
  readonly #rim: WebhookRim;
  readonly #rows: WebhookRows;
  readonly #deliveries: DeliveryRows;
  readonly #courier: Courier;
  readonly #hooks = new Map<string, Hook>();
  readonly #testing = new Set<string>();
  #offered: Notice[] = [];
  #timer: NodeJS.Timeout | null = null;
  quietHours: QuietHours = null;
  /** What quiet hours kept from being sent, since the start. */
  hushedCount = 0;

  constructor(box: WebhookRim) {
    // The world's clock tells parts of milliseconds.
    const rim: WebhookRim = { ...box, utcMs: () => Math.round(box.utcMs()) };
    this.#rim = rim;
    this.#rows = webhookRows(rim.state);
    this.#deliveries = deliveryRows(rim.state);
    this.#courier = new Courier({
      state: rim.state,
      rows: this.#deliveries,
      nowMs: rim.nowMs,
      utcMs: rim.utcMs,
      random: rim.random ?? Math.random,
      send: rim.send,
      letter: (row) => this.#letter(row),
      gone: (id) => this.#gone(id),
      health: (id, error) => this.#health(id, error),
      trouble: (thrown) => rim.note('webhook.trouble', 'warning', sentenceOf(thrown), null),
    });
    for (const row of this.#rows.list(rim.workspaceId)) {
      this.#hooks.set(row.id, this.#sealed(hookOf(row)));
      this.#courier.open(row.id);
    }
  }

  /** From now on what is due is sent. */
  start(): void {
    this.#timer = setInterval(() => void this.pump(), PUMP_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.flush();
    this.#courier.stop();
  }

  /** Sends what is due at this moment; returns when all of it has come to something. */
  pump(): Promise<void> {
    this.flush();
    return this.#courier.pump();
  }

  /** By name. `whole` shows addresses with path and query. */
  list(whole = false): Webhook[] {
    const hooks = [...this.#hooks.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return hooks.map((hook) => this.#told(hook, whole));
  }

  get(id: string, whole = false): Webhook {
    return this.#told(this.#hook(id), whole);
  }

  /** Throws `not_configured` where no secret can be kept. */
  create(spec: WebhookSpec, by: Actor): MadeWebhook {
    const { ledger, workspaceId } = this.#rim;
    const { secret: given, headers, url, ...said } = spec;
    const secret = given ?? `whs_${randomBytes(32).toString('base64url')}`;
    const hook = ledger.change(`The webhook ${spec.name}`, () => {
      if (this.#hooks.size >= MOST_WEBHOOKS) throw new Fault('conflict', `there are ${MOST_WEBHOOKS} webhooks already`);
      const at = ledger.nowText();
      const made: Hook = {
        ...{ ...said, url: shownUrl(url) },
        ...{ id: randomUUID(), header_names: Object.keys(headers), version: 1, created_at: at, updated_at: at },
      };
      this.#rows.insert(rowOf(made, workspaceId));
      this.#hide(made, { secret, headers, url }, by);
      return { result: made, deed: this.#deed('created', by, made, null, saidOf(made)) };
    });
    this.#courier.open(hook.id);
    this.#put(hook, by);
    return { ...this.#told(hook, true), secret: given === undefined ? secret : null };
  }

  update(id: string, { version, secret, headers, url, ...patch }: WebhookPatch, by: Actor): Webhook {
    const { ledger, workspaceId } = this.#rim;
    const hook = ledger.change(`The webhook ${id}`, () => {
      const was = this.#hook(id);
      if (version !== undefined && version !== was.version)
        throw new Fault('conflict', `the webhook ${was.name} is at version ${was.version}, not ${version}`);
      const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const shown = url === undefined ? {} : { url: shownUrl(url) };
      const names = headers === undefined ? {} : { header_names: Object.keys(headers) };
      const next: Hook = {
        ...was,
        ...said,
        ...shown,
        ...names,
        version: was.version + 1,
        updated_at: ledger.nowText(),
      };
      this.#rows.update(rowOf(next, workspaceId));
      const changes = { ...(secret && { secret }), ...(headers && { headers }), ...(url && { url }) };
      if (Object.keys(changes).length > 0) this.#hide(next, { ...this.#heldOf(was, changes), ...changes }, by);
      return { result: next, deed: this.#deed('changed', by, next, saidOf(was), saidOf(next)) };
    });
    this.#put(hook, by);
    return this.#told(hook, true);
  }

  /** What is due to it goes with it. */
  remove(id: string, by: Actor): void {
    const { ledger, workspaceId, secrets, announce } = this.#rim;
    ledger.change(`The webhook ${id}`, () => {
      const was = this.#hook(id);
      secrets.remove(workspaceId, secretName(id), { actor: by, userId: null });
      this.#rows.delete(workspaceId, id);
      return { result: undefined, deed: this.#deed('deleted', by, was, saidOf(was), null) };
    });
    this.#hooks.delete(id);
    this.#courier.close(id);
    announce({ what: 'webhook', id, version: null, by: actorLabel(by) });
  }

  /** What became of deliveries, the newest first. */
  deliveries(
    id: string,
    { limit, cursor }: { limit: number; cursor: string | null },
  ): { rows: Delivery[]; nextCursor: string | null } {
    this.#hook(id);
    this.#courier.flush();
    const before = cursor === null ? null : readCursor('deliveries', cursor).number;
    const { rows, next } = this.#deliveries.page(id, limit, before);
    return { rows: rows.map(toldOf), nextCursor: next && writeCursor('deliveries', next) };
  }

  /** Sends one of kind `test` at once, past what waits, and answers what came of it. */
  async test(id: string, by: Actor): Promise<Delivery> {
    const hook = this.#hook(id);
    if (this.#testing.has(id)) throw new Fault('conflict', `a test of the webhook ${hook.name} is on its way already`);
    const { utcMs } = this.#rim;
    const notice = { at: formatTime(utcMs()), severity: 'info', body: { text: `a test of ${hook.name}` } } as const;
    const row = { ...this.#rowOf(hook, 'test', notice), number: 0 };
    this.#testing.add(id);
    try {
      const letter = this.#letter(row, true) ?? '';
      if (typeof letter === 'string') throw new Fault('not_configured', letter);
      const outcome = await this.#rim.send(letter);
      const next = nextOf(outcome, { attempts: 1, ageMs: 0 }, () => 0);
      const { status: statusCode, error, tookMs } = outcome;
      const status = next.do === 'done' ? 'done' : 'given_up';
      const came: DeliveryRow = { ...row, ...{ status, attempts: 1, lastMs: utcMs(), nextMs: null } };
      const done = { ...came, statusCode, error, tookMs };
      const { number: _none, ...logged } = done;
      if (this.#hooks.has(id)) this.#courier.log({ ...logged, body: '' });
      this.#rim.ledger.note(this.#deed('tested', by, hook, null, { status, status_code: statusCode, error }));
      return toldOf(done);
    } finally {
      this.#testing.delete(id);
    }
  }

  /**
   * Writes down what is to be sent; call within a write of the state, and what it returns once that stands. What quiet
   * hours hush is not sent later either: the alert itself is raised all the same.
   */
  write(notices: readonly Notice[]): () => void {
    const then: (() => void)[] = [];
    const utcMs = this.#rim.utcMs();
    const loud = notices.filter(({ severity }) => !isHushed(this.quietHours, severity, utcMs));
    this.hushedCount += notices.length - loud.length;
    for (const hook of this.#hooks.values()) {
      const rows = loud.filter((notice) => wants(hook, notice)).map((notice) => this.#rowOf(hook, notice.kind, notice));
      if (rows.length > 0) then.push(this.#courier.write(hook.id, rows));
    }
    return () => {
      for (const step of then) step();
      if (this.#timer && then.length > 0) setImmediate(() => void this.pump());
    };
  }

  /** The same for what nobody else writes down: it is written with the next that is sent, a moment later. */
  offer(notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (this.#offered.length >= MOST_OFFERED) return;
      for (const hook of this.#hooks.values()) {
        if (!wants(hook, notice)) continue;
        this.#offered.push(notice);
        break;
      }
    }
  }

  /** Writes what was offered. A disk that refuses costs the deliveries and nothing else. */
  flush(): void {
    const offered = this.#offered;
    if (offered.length === 0) return;
    this.#offered = [];
    try {
      this.#rim.state.write('The deliveries', () => this.write(offered))();
    } catch (thrown) {
      this.#rim.note('webhook.trouble', 'warning', sentenceOf(thrown), null);
    }
  }

  #rowOf({ id, include_private }: Hook, kind: Delivery['kind'], of: Omit<Notice, 'kind'>): Omit<DeliveryRow, 'number'> {
    const delivery = randomUUID();
    const shown = include_private ? of.body : withoutPrivate(of.body);
    const document = { id: delivery, at: of.at, kind, workspace_id: this.#rim.workspaceId, body: shown };
    const none = { attempts: 0, lastMs: null, nextMs: null, statusCode: null, error: null, tookMs: null };
    const made = { createdMs: this.#rim.utcMs(), body: JSON.stringify(document) };
    return { id: delivery, webhookId: id, kind, severity: of.severity, status: 'due', ...none, ...made };
  }

  #letter({ id, webhookId, body }: DeliveryRow, always = false): Letter | string | null {
    const hook = this.#hooks.get(webhookId);
    if (!hook || !(hook.enabled || always)) return null;
    const hidden = this.#hiddenOf(hook);
    if (typeof hidden === 'string') return hidden;
    const headers = {
      'user-agent': 'dunlin',
      ...hidden.headers,
      'content-type': 'application/json',
      'dunlin-delivery': id,
      'dunlin-signature': signatureOf(hidden.secret, this.#rim.utcMs(), body),
    };
    return { url: hidden.url ?? hook.url, headers, body };
  }

  /** What stays sealed of it besides what changes. What does not open any more must all be given anew. */
  #heldOf(hook: Hook, { secret, url }: Partial<Hidden>): Hidden {
    const hidden = this.#hiddenOf(hook);
    if (typeof hidden !== 'string') return hidden;
    if (secret === undefined || url === undefined)
      throw new Fault('not_configured', `${hidden}; its address and secret must both be given anew`);
    return { secret, url, headers: {} };
  }

  /** Seals the address of one that an earlier version kept, as soon as there is a key. */
  #sealed(hook: Hook): Hook {
    const hidden = this.#hiddenOf(hook);
    if (typeof hidden === 'string' || hidden.url !== undefined) return hook;
    const { ledger, workspaceId } = this.#rim;
    const next = { ...hook, url: shownUrl(hook.url) };
    try {
      ledger.change(`The webhook ${hook.name}`, () => {
        this.#rows.update(rowOf(next, workspaceId));
        this.#hide(next, { ...hidden, url: hook.url }, systemActor);
        return { result: undefined, deed: null };
      });
      return next;
    } catch {
      // A disk that refuses it now is asked again at the next start.
      return hook;
    }
  }

  /** What is sealed of it, or the sentence that says why it does not open. */
  #hiddenOf({ id, name }: Hook): Hidden | string {
    try {
      const opened = this.#rim.secrets.get(this.#rim.workspaceId, secretName(id));
      return opened
        ? (JSON.parse(opened.toString('utf8')) as Hidden)
        : `the webhook ${name} has no secret to sign with`;
    } catch (thrown) {
      return sentenceOf(thrown);
    }
  }

  #hide({ id }: Hook, hidden: Hidden, by: Actor): void {
    const bytes = Buffer.from(JSON.stringify(hidden));
    this.#rim.secrets.put(this.#rim.workspaceId, secretName(id), bytes, { actor: by, userId: null });
  }

  #put(hook: Hook, by: Actor): void {
    this.#hooks.set(hook.id, hook);
    this.#rim.announce({ what: 'webhook', id: hook.id, version: hook.version, by: actorLabel(by) });
  }

  #hook(id: string): Hook {
    const hook = this.#hooks.get(id);
    if (!hook) throw new Fault('not_found', `there is no webhook with the id ${id} in this workspace`);
    return hook;
  }

  #told(hook: Hook, whole: boolean): Webhook {
    const hidden = this.#hiddenOf(hook);
    const has_secret = typeof hidden !== 'string';
    const url = whole && typeof hidden !== 'string' ? (hidden.url ?? hook.url) : shownUrl(hook.url);
    const [waiting, dropped] = [this.#courier.waiting(hook.id), this.#courier.dropped(hook.id)];
    const { version, created_at, updated_at, ...said } = hook;
    return { ...said, url, has_secret, waiting, dropped, version, created_at, updated_at };
  }

  /** The endpoint answered 410. */
  #gone(id: string): void {
    const { ledger, workspaceId } = this.#rim;
    const was = this.#hooks.get(id);
    if (!was) return;
    const next: Hook = { ...was, enabled: false, version: was.version + 1, updated_at: ledger.nowText() };
    ledger.change(`The webhook ${was.name}`, () => {
      this.#rows.update(rowOf(next, workspaceId));
      const deed = this.#deed('disabled', systemActor, next, { enabled: true }, { enabled: false });
      const text = `the webhook ${was.name} was switched off: its endpoint answers that it is gone for good (410)`;
      return { result: undefined, deed: { ...deed, text, severity: 'warning' } };
    });
    this.#put(next, systemActor);
  }

  #health(id: string, error: string | null): void {
    const hook = this.#hooks.get(id);
    if (!hook) return;
    const subject = { type: 'webhook', id, label: hook.name };
    if (error === null)
      this.#rim.note('webhook.recovered', 'notice', `the webhook ${hook.name} is reached again`, subject);
    else this.#rim.note('webhook.failing', 'warning', `the webhook ${hook.name} is not reached: ${error}`, subject);
  }

  #deed(what: string, by: Actor, { id, name }: Hook, before: unknown, after: unknown) {
    const text = `${actorLabel(by)} ${what} the webhook ${name}`;
    const subject = { type: 'webhook', id, label: name };
    return { kind: `webhook.${what}`, text, by, workspaceId: this.#rim.workspaceId, subject, before, after };
  }
}

function wants({ enabled, events, least_severity }: Hook, { kind, severity }: Notice): boolean {
  return (
    enabled && events.includes(kind) && alertSeverities.indexOf(severity) >= alertSeverities.indexOf(least_severity)
  );
}

function secretName(id: string): string {
  return `webhook:${id}`;
}
