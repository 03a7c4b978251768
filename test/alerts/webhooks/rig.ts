import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealedSecrets, type SealingKey } from '../../../src/access/sealed.ts';
import { createSender, type Sender } from '../../../src/alerts/webhooks/send.ts';
import { Webhooks } from '../../../src/alerts/webhooks/webhooks.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { type Notice, type WebhookSpec, webhookSpecSchema } from '../../../src/model/webhook.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { openState, type State } from '../../../src/store/state.ts';
import { workspaceRows } from '../../../src/store/workspaces.ts';

type Test = { teardown(stop: () => unknown): unknown };
export type Got = { headers: IncomingMessage['headers']; text: string; url: string };
export type Endpoint = { url: string; got: Got[]; server: Server };

/** Somebody's server, which answers as the test says. */
export async function endpoint(
  t: Test,
  answer: (res: ServerResponse, got: Got, count: number) => void = (res) => void res.end(),
): Promise<Endpoint> {
  const got: Got[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => {
      const one = { headers: req.headers, text, url: req.url ?? '' };
      got.push(one);
      answer(res, one, got.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got, server };
}

export type NotifyRig = {
  state: State;
  ledger: Ledger;
  webhooks: Webhooks;
  workspaceId: string;
  notes: { kind: string; text: string }[];
  announced: object[];
  /** Turns the clock, and sends what is due then. */
  turn(ms: number): Promise<void>;
  make(spec: Partial<WebhookSpec> & { url: string }): string;
  /** Another desk over the same disk, as after a restart. */
  again(): NotifyRig;
};

type Options = {
  key?: SealingKey;
  send?: Sender;
  ownPort?: number;
  timeoutMs?: number;
  state?: State;
  nowMs?: number;
};

export function openNotify(t: Test, options: Options = {}): NotifyRig {
  let nowMs = options.nowMs ?? 0;
  const { key = { key: Buffer.alloc(32, 7) }, ownPort = null, timeoutMs = 10_000 } = options;
  const state = options.state ?? openFolder(t);
  const utcMs = (): number => Date.UTC(2025, 5, 1) + nowMs + 0.3;
  const ledger = new Ledger(state, new LogCounter(0), utcMs);
  const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
  const deps = { state, ledger, nowMs: () => nowMs, utcMs };
  const notes: NotifyRig['notes'] = [];
  const announced: object[] = [];
  const webhooks = new Webhooks({
    ...{ ...deps, workspaceId, random: () => 0 },
    secrets: new SealedSecrets({ ...deps, permissionsChanged: () => {} }, key),
    send: options.send ?? createSender(() => ownPort, timeoutMs),
    announce: (body) => void announced.push(body),
    note: (kind, _severity, text) => void notes.push({ kind, text }),
  });
  return {
    ...{ state, ledger, webhooks, workspaceId, notes, announced },
    async turn(ms) {
      nowMs += ms;
      await webhooks.pump();
    },
    make: (spec) => webhooks.create(webhookSpecSchema.parse({ name: spec.url, ...spec }), systemActor).id,
    again: () => openNotify(t, { ...options, state, nowMs }),
  };
}

function openFolder(t: Test): State {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-notify-'));
  const state = openState(folder);
  t.teardown(() => {
    state.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return state;
}

export function noticeOf(fields: Partial<Notice> = {}): Notice {
  const body = { text: 'T-0001 is in North field' };
  return { kind: 'alert', severity: 'warning', at: '2025-06-01T00:00:00.000Z', body, ...fields };
}

/** As a receiver checks it who has read the documentation and nothing of ours. */
export function isSigned({ headers, text }: Got, secret: string): boolean {
  const fields = String(headers['dunlin-signature']).split(',');
  const [t = '', v1 = ''] = ['t=', 'v1='].map((start) =>
    fields.find((field) => field.startsWith(start))?.slice(start.length),
  );
  return (
    createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(Buffer.from(`${t}.${text}`))
      .digest('hex') === v1
  );
}

export const page = { limit: 1_000, cursor: null };
