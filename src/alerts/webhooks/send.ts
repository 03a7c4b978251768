import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { sentenceOf } from '../../model/fault.ts';
import { checkedLookup, Refused, refusalOf } from './destination.ts';

export type Letter = { url: string; headers: Record<string, string>; body: string };

/** Outcome of one attempt. `status` is null where there was no answer. */
export type Outcome = {
  status: number | null;
  /** Sentence with the reason where the delivery failed. */
  error: string | null;
  /** Whether this delivery can never be sent unchanged. */
  refused: boolean;
  retryAfterS: number | null;
  tookMs: number;
};

export type Sender = (letter: Letter) => Promise<Outcome>;

const TIMEOUT_MS = 10_000;
/** Limit of the bytes of an answer that are read. */
const ANSWER_BYTES = 4_096;
const SHOWN_CHARS = 200;
/** Minimum length of a secret that is removed from answers; shorter words are shown. */
const SECRET_CHARS = 6;

/** Sends one delivery over a connection of its own. Redirects are not followed. The promise never rejects. */
export function createSender(ownPort: () => number | null, timeoutMs = TIMEOUT_MS): Sender {
  return async (letter) => {
    const began = performance.now();
    const came = await new Promise<Omit<Outcome, 'tookMs'>>((resolve) =>
      attempt(letter, ownPort(), timeoutMs, resolve),
    );
    return { ...came, tookMs: Math.round((performance.now() - began) * 10) / 10 };
  };
}

type Resolve = (came: Omit<Outcome, 'tookMs'>) => void;

function attempt({ url, headers, body }: Letter, ownPort: number | null, timeoutMs: number, resolve: Resolve): void {
  const to = new URL(url);
  const port = to.port === '' ? (to.protocol === 'https:' ? 443 : 80) : Number(to.port);
  const host = to.hostname.replace(/^\[|\]$/g, '');
  // A literal address is not resolved, so it is checked here.
  const why = isIP(host) === 0 ? null : refusalOf(host, port, ownPort);
  if (why !== null) {
    resolve(failed(new Refused(why)));
    return;
  }
  const make = to.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  let sent: ClientRequest;
  try {
    sent = make(to, {
      method: 'POST',
      agent: false,
      headers: { ...headers, ...length, connection: 'close' },
      lookup: checkedLookup(port, ownPort),
    });
  } catch (thrown) {
    resolve(failed(thrown));
    return;
  }
  let answered: IncomingMessage | null = null;
  const timer = setTimeout(() => {
    if (!answered) resolve(failed(new Error(`it did not answer within ${timeoutMs / 1000} s`)));
    sent.destroy();
  }, timeoutMs);
  sent.on('error', (error) => resolve(failed(error)));
  sent.on('close', () => clearTimeout(timer));
  sent.on('response', (answer) => {
    answered = answer;
    read(answer, (text) => {
      resolve(outcomeOf(answer, withoutSecrets(text, to, headers)));
      sent.destroy();
    });
  });
  sent.end(body);
}

/** Reads the beginning of an answer. Where the answer breaks off or takes too long, the outcome has the part read so far. */
function read(answer: IncomingMessage, done: (text: string) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => done(Buffer.concat(pieces).subarray(0, ANSWER_BYTES).toString('utf8'));
  answer.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ANSWER_BYTES) {
      answer.pause();
      finish();
    }
  });
  answer.on('error', finish);
  answer.on('close', finish);
  answer.on('end', finish);
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Omit<Outcome, 'tookMs'> {
  if (status >= 200 && status < 300) return { status, error: null, refused: false, retryAfterS: null };
  const said = plainOf(text);
  const where = status >= 300 && status < 400 ? ' and names another place, which is not followed' : '';
  const error = `it answered ${status}${where}${said === '' ? '' : `: ${said}`}`;
  const retryAfterS = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : null;
  return { status, error, refused: false, retryAfterS };
}

/**
 * Removes secrets from an answer. More people read answers than may know the webhook's address and headers, and some
 * endpoints repeat an unknown path or a refused key.
 */
function withoutSecrets(text: string, { pathname, search }: URL, headers: Record<string, string>): string {
  const values = Object.entries(headers).flatMap(([name, value]) => (isPlain(name) ? [] : [value]));
  const secrets = [
    pathname,
    ...values,
    ...[search, ...values, pathname].flatMap((value) => value.split(/[\s/?&=;,]+/)),
  ];
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
    .reduce((plain, secret) => plain.replaceAll(secret, '…'), text);
}

/** Whether a header is set by the service and contains no secret. */
function isPlain(name: string): boolean {
  return name === 'content-type' || name === 'user-agent';
}

/** A text as one line of visible characters. */
function plainOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\ufffd\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_CHARS);
}

function failed(thrown: unknown): Omit<Outcome, 'tookMs'> {
  const refused = thrown instanceof Refused;
  return { status: null, error: plainOf(sentenceOf(thrown)) || 'it cannot be reached', refused, retryAfterS: null };
}
