/**
 * Reads the stream in a thread of its own: timers of a hidden page are throttled, and EventSource hides heartbeats, so
 * that a half-open connection would look like a quiet sky.
 */
import { Batches } from './batches.ts';
import type { FromWorker, Received, StreamAccess, ToWorker } from './messages.ts';
import { type SseEvent, SseParser } from './sse.ts';
import { linkStateOf, retryDelayMs } from './watchdog.ts';

const CHECK_MS = 500;

/** `reading` ends the reading for good. `connection` ends one connection, after which the worker connects again. */
let reading: AbortController | null = null;
let connection: AbortController | null = null;
let access: StreamAccess | null = null;
let lastBytesMs: number | null = null;
let fault: string | null = null;
let lastId: string | null = null;
/** Whether an invalid credential ended the reading; the reading continues with the next credential. */
let isRefused = false;

const post = (message: FromWorker): void => self.postMessage(message);
const now = (): number => performance.now();

class Refused extends Error {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

async function sentenceOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // The answer is not from the daemon but from a proxy or another service.
  }
  return `the box answered ${response.status}`;
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const sentence = await sentenceOf(response);
  if (response.status === 401 || response.status === 403) throw new Refused(response.status, sentence);
  throw new Error(sentence);
}

/** URL of the stream; with a token it contains a single-use ticket. */
async function addressOf({ token, workspaceId, world }: StreamAccess, signal: AbortSignal): Promise<string> {
  const query = new URLSearchParams();
  if (world !== null) query.set('world', world);
  if (lastId !== null) query.set('last_event_id', lastId);
  if (token === null) return `/api/stream?${query}`;
  const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId ?? '' };
  const answer = await checked(await fetch('/v1/auth/stream-ticket', { method: 'POST', headers, signal }));
  const { data } = (await answer.json()) as { data: { ticket: string } };
  query.set('ticket', data.ticket);
  return `/v1/stream?${query}`;
}

let epoch = '';

const batches = new Batches((events) => post({ type: 'batch', epoch, events, receivedMs: Date.now() }));

function receivedOf({ id, kind, data }: SseEvent): Received {
  const { seq, at, body, ...rest } = JSON.parse(data) as Omit<Received, 'kind'>;
  if (id !== '') lastId = id;
  const [named] = id.split(':');
  if (named) epoch = named;
  return { kind: kind as Received['kind'], seq, at, body: body ?? rest };
}

async function readOnce(closed: AbortSignal): Promise<void> {
  if (access === null) return;
  connection = new AbortController();
  const signal = AbortSignal.any([closed, connection.signal]);
  const address = await addressOf(access, signal);
  const response = await checked(await fetch(address, { signal, headers: { Accept: 'text/event-stream' } }));
  if (response.body === null) throw new Error('the box sent no stream');
  fault = null;
  lastBytesMs = now();
  post({ type: 'link', link: linkStateOf(lastBytesMs, now(), fault) });
  const parser = new SseParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      lastBytesMs = now();
      for (const event of parser.push(piece.value)) batches.add(receivedOf(event));
      batches.offer();
    }
  } finally {
    batches.flush();
  }
  throw new Error('the box ended the stream');
}

/** The text of fetch's TypeError is not understandable for operators. */
function faultOf(thrown: Error): string {
  return thrown instanceof TypeError ? 'the box cannot be reached over the network' : thrown.message;
}

async function keepReading(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const before = lastBytesMs;
    try {
      await readOnce(signal);
    } catch (thrown) {
      if (signal.aborted) return;
      // An aborted connection has its cause in `fault`; the browser's text is not understandable for operators.
      if (!connection?.signal.aborted) fault = faultOf(thrown as Error);
      if (thrown instanceof Refused) post({ type: 'refused', status: thrown.status, sentence: thrown.message });
      if (thrown instanceof Refused && thrown.status === 401) {
        isRefused = true;
        return;
      }
    }
    if (lastBytesMs !== before) attempt = 0;
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt, Math.random())));
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'taken') {
    batches.taken(data.tookMs);
    return;
  }
  if (data.type === 'renewed') {
    if (access) access = { ...access, token: data.token };
    if (isRefused && reading) {
      isRefused = false;
      void keepReading(reading.signal);
    }
    return;
  }
  reading?.abort();
  reading = null;
  if (data.type === 'close') return;
  access = data.access;
  [lastBytesMs, fault, lastId, isRefused] = [null, null, null, false];
  reading = new AbortController();
  void keepReading(reading.signal);
});

setInterval(() => {
  if (reading === null) return;
  const link = linkStateOf(lastBytesMs, now(), fault);
  // A half-open connection never ends by itself, so it is aborted.
  if (link.state === 'no_link' && fault === null) {
    fault = link.cause;
    connection?.abort(new Error(link.cause ?? ''));
  }
  post({ type: 'link', link });
}, CHECK_MS);
