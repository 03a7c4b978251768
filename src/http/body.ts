import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, invalidInput } from '../model/fault.ts';
import { takeTimeToArrive } from './arrival.ts';

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Memory budget shared by the request bodies that are being read: together they hold at most `limit` bytes, however
 * many senders there are. Uploaded files are exempt, because they are not held in memory.
 */
export function createBodyBudget(limit: number) {
  let held = 0;
  return {
    take(bytes: number): void {
      if (held + bytes > limit)
        throw new Fault(
          'rate_limited',
          'too many large request bodies are arriving at the same time; try again in a moment',
        );
      held += bytes;
    },
    give(bytes: number): void {
      held -= bytes;
    },
  };
}

/**
 * Returns the media type of a request's body, in lower case and without parameters; an empty text if none is declared.
 */
export function mediaTypeOf(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns the media type of a body. Refuses a body with a type that is not in `allowed`, with a character set other
 * than UTF-8, or with compression.
 */
export function requireMediaType(req: IncomingMessage, allowed: readonly string[]): string {
  const wanted = allowed.join(' or ');
  const type = mediaTypeOf(req);
  if (!allowed.includes(type)) {
    throw new Fault(
      'unsupported_media_type',
      `the Content-Type must be ${wanted}${type === '' ? '; none was given' : ''}`,
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new Fault('unsupported_media_type', 'the body must be in UTF-8');
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Fault(
      'unsupported_media_type',
      'a compressed body is not accepted; send the body without Content-Encoding',
    );
  }
  return type;
}

function tooLarge(limit: number): Fault {
  return new Fault('too_large', `the body is larger than ${limit} bytes, the limit of this route`);
}

/** Throws `too_large` if the header announces a body beyond the limit. Otherwise answers `Expect: 100-continue`. */
function admit(req: IncomingMessage, res: ServerResponse, limit: number): void {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (req.headers.expect !== undefined) res.writeContinue();
}

/** Counts the bytes of one body. Throws if they exceed the limit of the body or the shared budget. */
class Meter {
  readonly #limit: number;
  readonly #budget: BodyBudget;
  #size = 0;

  constructor(limit: number, budget: BodyBudget) {
    this.#limit = limit;
    this.#budget = budget;
  }

  take(chunk: Buffer): void {
    if (this.#size + chunk.length > this.#limit) throw tooLarge(this.#limit);
    this.#budget.take(chunk.length);
    this.#size += chunk.length;
  }

  /** Returns the counted bytes to the shared budget. */
  giveBack(): void {
    this.#budget.give(this.#size);
  }
}

/**
 * Yields the chunks of a body as they arrive. Throws `too_large` if the header announces too many bytes, or as soon as
 * too many arrive. Throws `rate_limited` if the shared budget is used up. Unread bytes stay in the socket; the answer
 * then closes the connection.
 */
export async function* readChunks(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  budget: BodyBudget,
): AsyncGenerator<Buffer> {
  admit(req, res, limit);
  const meter = new Meter(limit, budget);
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      meter.take(chunk);
      yield chunk;
    }
  } finally {
    meter.giveBack();
  }
}

/**
 * Yields the chunks of an uploaded file as they arrive, without a time limit for the whole file. The caller must count
 * the chunks and limit the size. The file is not held in memory.
 */
export async function* readFile(req: IncomingMessage, res: ServerResponse): AsyncGenerator<Buffer> {
  admit(req, res, Number.POSITIVE_INFINITY);
  takeTimeToArrive(req);
  yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/**
 * Reads a body into one buffer. Most bodies are a single chunk that has already arrived; for those an iterator would be
 * slower.
 */
async function readWhole(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  budget: BodyBudget,
): Promise<Buffer> {
  admit(req, res, limit);
  const meter = new Meter(limit, budget);
  const chunks: Buffer[] = [];
  try {
    await eachChunk(req, (chunk) => {
      meter.take(chunk);
      chunks.push(chunk);
    });
  } finally {
    meter.giveBack();
  }
  return Buffer.concat(chunks);
}

/**
 * Passes each chunk to `take`, and resolves after the last. If `take` throws, the rest of the body stays in the socket.
 */
function eachChunk(req: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    const onError = (thrown: unknown): void => {
      leave();
      reject(thrown);
    };
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (thrown) {
        req.pause();
        onError(thrown);
      }
    };
    const onEnd = (): void => {
      leave();
      resolve();
    };
    const onClose = (): void => onError(new Error('the request was broken off'));
    req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, and removes a byte order mark. Returns null if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Reads a body as text. Throws `invalid_input` if the body is empty or not UTF-8. */
export async function readText(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  budget: BodyBudget,
): Promise<string> {
  const text = decodeUtf8(await readWhole(req, res, limit, budget));
  if (text === null) throw invalidInput('the body is not UTF-8 text');
  if (text.trim() === '') throw invalidInput('the body is empty');
  return text;
}

/** Returns true if a request has no body. */
export function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}
