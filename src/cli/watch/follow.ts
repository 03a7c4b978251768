import type { IncomingMessage } from 'node:http';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { type SseEvent, SseParser } from '../../console/stream/sse.ts';
import { LOST_AFTER_S, retryDelayMs, STALE_AFTER_S } from '../../console/stream/watchdog.ts';
import { codeOf, explain } from '../../edge/link/explain.ts';
import { Fault, notFound, unavailable } from '../../model/fault.ts';

/**
 * Address, API key and world of a stream. `ca` is the PEM text of the authority for the daemon's certificate; null uses
 * the authorities of Node.
 */
export type StreamPlace = { url: URL; key: string | null; ca: string | null; world: 'live' | null };

export type Notice =
  | { what: 'event'; event: SseEvent }
  | { what: 'connected' }
  /** The stream was silent for `silentS` seconds: the last lines may be outdated. */
  | { what: 'stale'; silentS: number }
  | { what: 'lost'; cause: string; retryMs: number };

/** Silence after which a stream without `tick` events is stale, s: 1.5 times the heartbeat interval of 10 s. */
const QUIET_S = 15;

type Pace = { staleMs(hasTicks: boolean): number; deadMs: number; retryMs(attempt: number): number };
/**
 * Default pace. A console shows a silent stream as lost after `LOST_AFTER_S`. This command gives up the connection
 * after twice that time (`deadMs`).
 */
const usualPace: Pace = {
  staleMs: (hasTicks) => (hasTicks ? STALE_AFTER_S : QUIET_S) * 1_000,
  deadMs: LOST_AFTER_S * 2_000,
  retryMs: (attempt) => retryDelayMs(attempt, Math.random()),
};
const ANSWER_MS = 10_000;
const MOST_REFUSAL_BYTES = 4_096;

/**
 * Follows a stream until the signal aborts. Reconnects with back-off, and resumes after the last event. Throws a Fault
 * if a retry is useless: the credential is refused, or the address serves something else.
 */
export async function* follow(place: StreamPlace, signal: AbortSignal, pace = usualPace): AsyncGenerator<Notice> {
  const cursor = { lastId: '', hasTicks: false };
  for (let attempt = 0; !signal.aborted; attempt++) {
    let cause = 'the daemon ended the stream';
    try {
      const response = await open(place, cursor.lastId, signal);
      yield { what: 'connected' };
      for await (const notice of read(response, cursor, pace)) {
        attempt = 0;
        yield notice;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (thrown instanceof Fault && thrown.code !== 'unavailable') throw thrown;
      cause = causeOf(place.url, thrown);
    }
    if (signal.aborted) return;
    const retryMs = pace.retryMs(attempt);
    yield { what: 'lost', cause, retryMs };
    await delay(retryMs, undefined, { signal }).catch(() => {});
  }
}

type Cursor = { lastId: string; hasTicks: boolean };

async function* read(response: IncomingMessage, cursor: Cursor, pace: Pace): AsyncGenerator<Notice> {
  const parser = new SseParser();
  response.setEncoding('utf8');
  const limitMs = (): number => pace.staleMs(cursor.hasTicks);
  for await (const piece of orSilence(response[Symbol.asyncIterator]() as AsyncIterator<string>, limitMs)) {
    if (typeof piece === 'number') {
      if (piece >= pace.deadMs) throw unavailable(`nothing was received for ${piece / 1_000} s`);
      yield { what: 'stale', silentS: piece / 1_000 };
      continue;
    }
    for (const event of parser.push(piece)) {
      if (event.id !== '') cursor.lastId = event.id;
      cursor.hasTicks ||= event.kind === 'tick';
      yield { what: 'event', event };
    }
  }
}

/** Yields pieces as they arrive. After each `limitMs` without a piece, yields the length of the whole silence, ms. */
async function* orSilence(pieces: AsyncIterator<string>, limitMs: () => number): AsyncGenerator<string | number> {
  let next = pieces.next();
  try {
    for (let silentMs = 0; ; ) {
      const timer = new AbortController();
      const silence = delay(limitMs(), 'silence' as const, { signal: timer.signal }).catch(() => 'silence' as const);
      const first = await Promise.race([next, silence]);
      timer.abort();
      if (first === 'silence') {
        silentMs += limitMs();
        yield silentMs;
      } else if (first.done) return;
      else {
        silentMs = 0;
        next = pieces.next();
        yield first.value;
      }
    }
  } finally {
    next.catch(() => {});
    void pieces.return?.();
  }
}

async function open(
  { url, key, ca, world }: StreamPlace,
  lastId: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const at = new URL('/api/stream', url);
  if (lastId !== '') at.searchParams.set('last_event_id', lastId);
  if (world !== null) at.searchParams.set('world', world);
  const headers = { accept: 'text/event-stream', ...(key === null ? {} : { 'x-api-key': key }) };
  const options = { headers, signal, agent: false, ...(ca === null ? {} : { ca }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestTls : requestPlain)(at, options, resolve);
    const late = setTimeout(() => asked.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)), ANSWER_MS);
    asked.once('close', () => clearTimeout(late)).once('response', () => clearTimeout(late));
    asked.once('error', reject);
    asked.end();
  });
  if (response.statusCode === 200 && response.headers['content-type']?.startsWith('text/event-stream')) return response;
  throw await refusal(url, response);
}

/** Returns the Fault for an answer that is no stream. Its code is `unavailable` if a retry may succeed. */
async function refusal({ origin }: URL, response: IncomingMessage): Promise<Fault> {
  const status = response.statusCode ?? 0;
  const sentence = await sentenceOfRefusal(response);
  if (status === 401 || status === 403)
    return new Fault('unauthenticated', `${origin} refuses the stream: ${sentence}`);
  if (status === 429 || status >= 500) return unavailable(`${origin} answers ${status}: ${sentence}`);
  return notFound(`${origin} serves no stream (${status}): check that the address is that of a Dunlin`);
}

async function sentenceOfRefusal(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const piece of response) {
    text += piece;
    if (text.length > MOST_REFUSAL_BYTES) break;
  }
  try {
    return String((JSON.parse(text) as { error?: unknown }).error ?? 'no reason given');
  } catch {
    return 'no reason given';
  }
}

const untrusted = /CERT|SELF_SIGNED|ISSUER|ALTNAME/;

function causeOf({ origin }: URL, thrown: unknown): string {
  if (thrown instanceof Fault) return thrown.message;
  const code = codeOf(thrown) ?? '';
  if (untrusted.test(code))
    return `the certificate of ${origin} is not trusted (${code}): name its authority with --ca FILE`;
  return explain(origin, thrown);
}
