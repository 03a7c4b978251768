import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { sentenceOf } from '../../model/fault.ts';
import { checkedLookup, Refused, refusalOf } from './destination.ts';

export type Letter = { url: string; headers: Record<string, string>; body: string };

/** Outcome of one attempt. `status` is the HTTP status; null without an answer. */
export type Outcome = {
  status: number | null;
  /** Sentence with the reason of a failure; null after a success. */
  error: string | null;
  /**
   * True if this service itself refused to send, for example to a forbidden address: a retry without a change is
   * useless.
   */
  refused: boolean;
  retryAfterS: number | null;
  tookMs: number;
};

export type Sender = (letter: Letter) => Promise<Outcome>;

const TIMEOUT_MS = 10_000;
/** Greatest number of bytes that are read from an answer. */
const ANSWER_BYTES = 4_096;
const SHOWN_CHARS = 200;
/**
 * Minimum length of a secret that is removed from answers, characters. Shorter secrets would also remove normal words.
 */
const SECRET_CHARS = 6;

/**
 * Returns a function that sends one delivery over a separate connection. It does not follow redirects, and its promise
 * never rejects.
 */
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
  // Node calls no lookup function for a literal IP address, so the address is checked here.
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
    if (!answered) resolve(failed(new Error(`the endpoint did not answer within ${timeoutMs / 1000} s`)));
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

/** Reads the beginning of an answer. If the answer breaks off or takes too long, `done` gets the part read so far. */
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
  const where = status >= 300 && status < 400 ? ', a redirect to another address, which is not followed' : '';
  const error = `the endpoint answered ${status}${where}${said === '' ? '' : `: ${said}`}`;
  const retryAfterS = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : null;
  return { status, error, refused: false, retryAfterS };
}

/**
 * Removes the webhook's path, query and header values from an answer. Some endpoints repeat an unknown path or a
 * refused key, and people who may not know these secrets can read answers.
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

/** Returns true for headers that contain no secret. */
function isPlain(name: string): boolean {
  return name === 'content-type' || name === 'user-agent';
}

/** Returns a text as one line of visible characters, cut to `SHOWN_CHARS`. */
function plainOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\ufffd\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_CHARS);
}

function failed(thrown: unknown): Omit<Outcome, 'tookMs'> {
  const refused = thrown instanceof Refused;
  return {
    status: null,
    error: plainOf(sentenceOf(thrown)) || 'the endpoint cannot be reached',
    refused,
    retryAfterS: null,
  };
}
