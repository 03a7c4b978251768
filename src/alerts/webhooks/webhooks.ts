import { randomBytes, randomUUID } from 'node:crypto';
import type { SealedSecrets } from '../../access/sealed.ts';
import { type Actor, actorLabel, systemActor } from '../../model/actor.ts';
import type { LogEvent, Severity } from '../../model/event.ts';
import { conflict, Fault, orNotFound, sentenceOf } from '../../model/fault.ts';
import type { LogKind, LogVerb } from '../../model/log_kind.ts';
import type { Page, PageQuery } from '../../model/page.ts';
import { formatTime } from '../../model/time.ts';
import type { Delivery, MadeWebhook, Notice, Webhook, WebhookPatch, WebhookSpec } from '../../model/webhook.ts';
import { alertSeverities } from '../../model/zone.ts';
import { documentRows } from '../../store/documents.ts';
import type { Ledger } from '../../store/ledger.ts';
import { pageAfter } from '../../store/log/cursor.ts';
import type { State } from '../../store/state.ts';
import { type DeliveryRow, type DeliveryRows, deliveryRows } from '../../store/webhooks.ts';
import { Courier } from './courier.ts';
import { factsOf, type Hidden, type Hook, type HookSpec, saidOf, shownUrl, signatureOf } from './hook.ts';
import { withoutPrivate } from './private.ts';
import { isHushed, type QuietHours } from './quiet_hours.ts';
import { nextOf } from './retry.ts';
import type { Letter, Sender } from './send.ts';

export type WebhookDeps = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  secrets: SealedSecrets;
  /** Monotonic time, ms. */
  nowMs(): number;
  utcMs(): number;
  send: Sender;
  random?: () => number;
  /** Publishes a changed webhook to clients. */
  announce(body: { what: 'webhook'; id: string; version: number | null; by: string }): void;
  note(kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject']): void;
};

const MOST_WEBHOOKS = 20;
/** Limit of the offered notices that wait for the next write; further notices are dropped. */
const MOST_OFFERED = 10_000;
const PUMP_EVERY_MS = 250;

/** Webhooks of a workspace, as owners declare them, and their deliveries. */
export class Webhooks {
  readonly #deps: WebhookDeps;
  readonly #rows: ReturnType<typeof documentRows<HookSpec>>;
  readonly #deliveries: DeliveryRows;
  readonly #courier: Courier;
  readonly #hooks = new Map<string, Hook>();
  readonly #testing = new Set<string>();
  #offered: Notice[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isStarted = false;
  quietHours: QuietHours = null;
  /** Number of notices that quiet hours suppressed, since the start. */
  hushedCount = 0;

  constructor(box: WebhookDeps) {
    // The world's clock has fractions of milliseconds; the database stores whole milliseconds.
    const deps: WebhookDeps = { ...box, utcMs: () => Math.round(box.utcMs()) };
    this.#deps = deps;
    this.#rows = documentRows(deps.state, 'webhooks', 'webhook');
    this.#deliveries = deliveryRows(deps.state);
    this.#courier = new Courier({
      state: deps.state,
      rows: this.#deliveries,
      nowMs: deps.nowMs,
      utcMs: deps.utcMs,
      random: deps.random ?? Math.random,
      send: deps.send,
      letter: (row) => this.#letter(row),
      gone: (id) => this.#gone(id),
      health: (id, error) => this.#health(id, error),
      trouble: (thrown) => deps.note('webhook.trouble', 'warning', sentenceOf(thrown), null),
    });
    for (const hook of this.#rows.list(deps.workspaceId)) {
      this.#hooks.set(hook.id, this.#sealed(hook));
      this.#courier.open(hook.id);
    }
  }

  /** Begins to send due deliveries. */
  start(): void {
    this.#isStarted = true;
    this.#pumpWhileNeeded();
  }

  stop(): void {
    this.#isStarted = false;
    this.#pumpWhileNeeded();
    this.flush();
    this.#courier.stop();
  }

  /** Runs the timer of deliveries only while there is a webhook, because each tick wakes the processor. */
  #pumpWhileNeeded(): void {
    const isNeeded = this.#isStarted && this.#hooks.size > 0;
    if (isNeeded) this.#timer ??= setInterval(() => void this.pump(), PUMP_EVERY_MS).unref();
    if (isNeeded || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Sends due deliveries. Resolves when each delivery that this call sent has an outcome. */
  pump(): Promise<void> {
    this.flush();
    return this.#courier.pump();
  }

  /** Returns the webhooks, sorted by name. If `whole` is true, URLs that can be decrypted contain path and query. */
  list(whole = false): Webhook[] {
    const hooks = [...this.#hooks.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return hooks.map((hook) => this.#published(hook, whole));
  }

  get(id: string, whole = false): Webhook {
    return this.#published(this.#hook(id), whole);
  }

  /** Creates a webhook. Throws `not_configured` if no key to seal secrets is configured. */
  create(spec: WebhookSpec, by: Actor): MadeWebhook {
    const { ledger, workspaceId } = this.#deps;
    const { secret: given, headers, url, ...said } = spec;
    const secret = given ?? `whs_${randomBytes(32).toString('base64url')}`;
    const hook = ledger.change(`The webhook ${spec.name}`, () => {
      if (this.#hooks.size >= MOST_WEBHOOKS)
        throw conflict(`this workspace has ${MOST_WEBHOOKS} webhooks already, which is the limit: delete one first`);
      const at = ledger.nowText();
      const made: Hook = {
        ...{ ...said, url: shownUrl(url) },
        ...{ id: randomUUID(), header_names: Object.keys(headers), version: 1, created_at: at, updated_at: at },
      };
      this.#rows.insert(workspaceId, made);
      this.#hide(made, { secret, headers, url }, by);
      return { result: made, deed: this.#deed('created', by, made, null, saidOf(made)) };
    });
    this.#courier.open(hook.id);
    this.#put(hook, by);
    return { ...this.#published(hook, true), secret: given === undefined ? secret : null };
  }

  update(id: string, { version, secret, headers, url, ...patch }: WebhookPatch, by: Actor): Webhook {
    const { ledger, workspaceId } = this.#deps;
    const hook = ledger.change(`The webhook ${id}`, () => {
      const was = this.#hook(id);
      if (version !== undefined && version !== was.version)
        throw conflict(
          `the webhook ${was.name} is at version ${was.version}, not ${version}; read it again and repeat the change`,
        );
      const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const shown = url === undefined ? {} : { url: shownUrl(url) };
      const names = headers === undefined ? {} : { header_names: Object.keys(headers) };
      const changed = { ...said, ...shown, ...names };
      const next: Hook = { ...was, ...changed, version: was.version + 1, updated_at: ledger.nowText() };
      this.#rows.update(workspaceId, next);
      const changes = { ...(secret && { secret }), ...(headers && { headers }), ...(url && { url }) };
      if (Object.keys(changes).length > 0) this.#hide(next, { ...this.#heldOf(was, changes), ...changes }, by);
      return { result: next, deed: this.#deed('changed', by, next, saidOf(was), saidOf(next)) };
    });
    this.#put(hook, by);
    return this.#published(hook, true);
  }

  /** Deletes a webhook with its deliveries. */
  remove(id: string, by: Actor): void {
    const { ledger, workspaceId, secrets, announce } = this.#deps;
    ledger.change(`The webhook ${id}`, () => {
      const was = this.#hook(id);
      secrets.remove(workspaceId, secretName(id), { actor: by, userId: null });
      this.#rows.delete(workspaceId, id);
      return { result: undefined, deed: this.#deed('deleted', by, was, saidOf(was), null) };
    });
    this.#hooks.delete(id);
    this.#courier.close(id);
    this.#pumpWhileNeeded();
    announce({ what: 'webhook', id, version: null, by: actorLabel(by) });
  }

  /** Returns a page of deliveries with their outcomes, the newest first. */
  deliveries(id: string, { limit, cursor }: Pick<PageQuery, 'limit' | 'cursor'>): Page<Delivery> {
    this.#hook(id);
    this.#courier.flush();
    return pageAfter('deliveries', cursor, (after) => {
      const { rows, next } = this.#deliveries.page(id, limit, after?.number ?? null);
      return { rows: rows.map(factsOf), next };
    });
  }

  /** Sends one notice of kind `test` at once, bypassing the queue, and returns its outcome. */
  async test(id: string, by: Actor): Promise<Delivery> {
    const hook = this.#hook(id);
    if (this.#testing.has(id))
      throw conflict(`a test of the webhook ${hook.name} is still in progress: wait for its result`);
    const { utcMs } = this.#deps;
    const notice = { at: formatTime(utcMs()), severity: 'info', body: { text: `a test of ${hook.name}` } } as const;
    const row = { ...this.#rowOf(hook, 'test', notice), number: 0 };
    this.#testing.add(id);
    try {
      const letter = this.#letter(row, true) ?? '';
      if (typeof letter === 'string') throw new Fault('not_configured', letter);
      const outcome = await this.#deps.send(letter);
      const next = nextOf(outcome, { attempts: 1, ageMs: 0 }, () => 0);
      const { status: statusCode, error, tookMs } = outcome;
      const status = next.do === 'done' ? 'done' : 'given_up';
      const came: DeliveryRow = { ...row, ...{ status, attempts: 1, lastMs: utcMs(), nextMs: null } };
      const done = { ...came, statusCode, error, tookMs };
      const { number: _none, ...logged } = done;
      if (this.#hooks.has(id)) this.#courier.log({ ...logged, body: '' });
      this.#deps.ledger.note(this.#deed('tested', by, hook, null, { status, status_code: statusCode, error }));
      return factsOf(done);
    } finally {
      this.#testing.delete(id);
    }
  }

  /**
   * Writes deliveries for notices. Call this within a database write, and call the returned function after the commit.
   * Notices that quiet hours suppress are never sent; their alerts are raised all the same.
   */
  write(notices: readonly Notice[]): () => void {
    const then: (() => void)[] = [];
    const utcMs = this.#deps.utcMs();
    const loud = notices.filter(({ severity }) => !isHushed(this.quietHours, severity, utcMs));
    for (const hook of this.#hooks.values()) {
      const rows = loud.filter((notice) => wants(hook, notice)).map((notice) => this.#rowOf(hook, notice.kind, notice));
      if (rows.length > 0) then.push(this.#courier.write(hook.id, rows));
    }
    return () => {
      this.hushedCount += notices.length - loud.length;
      for (const step of then) step();
      if (this.#timer && then.length > 0) setImmediate(() => void this.pump());
    };
  }

  /**
   * Queues notices in memory for the next `flush`. Use this for notices that are not part of a database write; see
   * `write`.
   */
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

  /** Writes deliveries for the offered notices. A disk failure loses these deliveries. */
  flush(): void {
    const offered = this.#offered;
    if (offered.length === 0) return;
    this.#offered = [];
    try {
      this.#deps.state.write('The deliveries', () => this.write(offered))();
    } catch (thrown) {
      this.#deps.note('webhook.trouble', 'warning', sentenceOf(thrown), null);
    }
  }

  #rowOf({ id, include_private }: Hook, kind: Delivery['kind'], of: Omit<Notice, 'kind'>): Omit<DeliveryRow, 'number'> {
    const delivery = randomUUID();
    const shown = include_private ? of.body : withoutPrivate(of.body);
    const document = { id: delivery, at: of.at, kind, workspace_id: this.#deps.workspaceId, body: shown };
    const none = { attempts: 0, lastMs: null, nextMs: null, statusCode: null, error: null, tookMs: null };
    const made = { createdMs: this.#deps.utcMs(), body: JSON.stringify(document) };
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
      'dunlin-signature': signatureOf(hidden.secret, this.#deps.utcMs(), body),
    };
    return { url: hidden.url ?? hook.url, headers, body };
  }

  /**
   * Returns the sealed values on which an update is based. If they cannot be decrypted, the update must contain a new
   * secret and a new URL; otherwise throws `not_configured`.
   */
  #heldOf(hook: Hook, { secret, url }: Partial<Hidden>): Hidden {
    const hidden = this.#hiddenOf(hook);
    if (typeof hidden !== 'string') return hidden;
    if (secret === undefined || url === undefined)
      throw new Fault('not_configured', `${hidden}; give both a new 'url' and a new 'secret' for this webhook`);
    return { secret, url, headers: {} };
  }

  /** Moves the URL that an earlier version stored in the document to the sealed values, if there is a key. */
  #sealed(hook: Hook): Hook {
    const hidden = this.#hiddenOf(hook);
    if (typeof hidden === 'string' || hidden.url !== undefined) return hook;
    const { ledger, workspaceId } = this.#deps;
    const next = { ...hook, url: shownUrl(hook.url) };
    try {
      ledger.change(`The webhook ${hook.name}`, () => {
        this.#rows.update(workspaceId, next);
        this.#hide(next, { ...hidden, url: hook.url }, systemActor);
        return { result: undefined, deed: null };
      });
      return next;
    } catch {
      // After a disk failure, the next start tries again.
      return hook;
    }
  }

  /** Returns the sealed values, or a sentence with the reason why they cannot be decrypted. */
  #hiddenOf({ id, name }: Hook): Hidden | string {
    try {
      const opened = this.#deps.secrets.get(this.#deps.workspaceId, secretName(id));
      return opened
        ? (JSON.parse(opened.toString('utf8')) as Hidden)
        : `the webhook ${name} has no secret to sign with`;
    } catch (thrown) {
      return sentenceOf(thrown);
    }
  }

  #hide({ id }: Hook, hidden: Hidden, by: Actor): void {
    const bytes = Buffer.from(JSON.stringify(hidden));
    this.#deps.secrets.put(this.#deps.workspaceId, secretName(id), bytes, { actor: by, userId: null });
  }

  #put(hook: Hook, by: Actor): void {
    this.#hooks.set(hook.id, hook);
    this.#pumpWhileNeeded();
    this.#deps.announce({ what: 'webhook', id: hook.id, version: hook.version, by: actorLabel(by) });
  }

  #hook(id: string): Hook {
    return orNotFound(this.#hooks.get(id), `there is no webhook with the id ${id} in this workspace`);
  }

  #published(hook: Hook, whole: boolean): Webhook {
    const hidden = this.#hiddenOf(hook);
    const has_secret = typeof hidden !== 'string';
    const url = whole && typeof hidden !== 'string' ? (hidden.url ?? hook.url) : shownUrl(hook.url);
    const [waiting, dropped] = [this.#courier.waiting(hook.id), this.#courier.dropped(hook.id)];
    const { version, created_at, updated_at, ...said } = hook;
    return { ...said, url, has_secret, waiting, dropped, version, created_at, updated_at };
  }

  /** Disables a webhook whose endpoint answered 410. */
  #gone(id: string): void {
    const { ledger, workspaceId } = this.#deps;
    const was = this.#hooks.get(id);
    if (!was) return;
    const next: Hook = { ...was, enabled: false, version: was.version + 1, updated_at: ledger.nowText() };
    ledger.change(`The webhook ${was.name}`, () => {
      this.#rows.update(workspaceId, next);
      const deed = this.#deed('disabled', systemActor, next, { enabled: true }, { enabled: false });
      const text = `the webhook ${was.name} was disabled: its endpoint answered 410, so it no longer exists`;
      return { result: undefined, deed: { ...deed, text, severity: 'warning' } };
    });
    this.#put(next, systemActor);
  }

  #health(id: string, error: string | null): void {
    const hook = this.#hooks.get(id);
    if (!hook) return;
    const subject = { type: 'webhook', id, label: hook.name };
    if (error === null)
      this.#deps.note('webhook.recovered', 'notice', `deliveries to the webhook ${hook.name} succeed again`, subject);
    else
      this.#deps.note('webhook.failing', 'warning', `deliveries to the webhook ${hook.name} fail: ${error}`, subject);
  }

  #deed(what: LogVerb<'webhook'>, by: Actor, { id, name }: Hook, before: unknown, after: unknown) {
    const text = `${actorLabel(by)} ${what} the webhook ${name}`;
    const subject = { type: 'webhook', id, label: name };
    return { kind: `webhook.${what}` as const, text, by, workspaceId: this.#deps.workspaceId, subject, before, after };
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
