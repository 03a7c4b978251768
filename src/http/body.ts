import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '../model/fault.ts';

/** The room's share of memory for bodies: no number of senders can make it hold more than `limit` bytes at once. */
export type BodyBudget = { take(bytes: number): void; give(bytes: number): void };

export function createBodyBudget(limit: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > limit)
        throw new Fault('rate_limited', 'too many large bodies are arriving at once; try again');
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}

/** The media type a request says its body has, in lower case and without parameters. */
export function mediaTypeOf(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Refuses a body of another type than `allowed`, in another character set than UTF-8, or compressed. */
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
    throw new Fault('unsupported_media_type', 'a compressed body is not taken; send it without Content-Encoding');
  }
  return type;
}

/**
 * The chunks of a body as they arrive. `too_large` is thrown before the first byte where the header says so, else at
 * the first byte too many; what was left unread stays in the socket, for the answer to close it.
 */
export async function* readChunks(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  budget: BodyBudget,
): AsyncGenerator<Buffer> {
  const tooLarge = (): Fault => new Fault('too_large', `the body is larger than the ${limit} bytes this route takes`);
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  // Only now is a sender that waits to be asked told to go on.
  if (req.headers.expect !== undefined) res.writeContinue();
  let size = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > limit) throw tooLarge();
      budget.take(chunk.length);
      size += chunk.length;
      yield chunk;
    }
  } finally {
    budget.give(size);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as text; null where they are not UTF-8. A byte order mark is taken off. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** A whole body as text. Throws `invalid_input` where it is empty or not UTF-8. */
export async function readText(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  budget: BodyBudget,
): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(req, res, limit, budget)) chunks.push(chunk);
  const text = decodeUtf8(Buffer.concat(chunks));
  if (text === null) throw new Fault('invalid_input', 'the body is not UTF-8 text');
  if (text.trim() === '') throw new Fault('invalid_input', 'the body is empty');
  return text;
}
