import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { z } from 'zod';
import { explain } from '../../edge/link/explain.ts';
import { Fault, unavailable } from '../../model/fault.ts';
import { whoIsThere } from '../who.ts';
import type { DaemonPlace } from './place.ts';

const ANSWER_MS = 5_000;
/** Limit of an answer, characters: another program on the port may send without end. */
const MOST_BYTES = 4_000_000;

type Request = { method: 'GET' | 'PUT'; path: string; body?: unknown };

/** Sends one request to a daemon. Rejects with an `unavailable` Fault if the daemon does not answer. */
export function call(
  { url, key, ca }: DaemonPlace,
  { method, path, body }: Request,
): Promise<{ status: number; body: string }> {
  const isTls = url.protocol === 'https:';
  const sent = body === undefined ? null : JSON.stringify(body);
  const headers: Record<string, string> = { 'x-operator': encodeURIComponent(whoIsThere().name) };
  if (key !== null) headers['x-api-key'] = key;
  if (sent !== null) headers['content-type'] = 'application/json';
  const options = {
    ...{ method, headers, timeout: ANSWER_MS, ...(ca !== null && { ca }) },
    // A call to this box without an API key sends no secret. The certificate is made for the names of the box on the
    // network, not for the loopback. In such a call it is checked only if `--ca` names an authority.
    rejectUnauthorized: key !== null || ca !== null || !isOwn(url),
  };
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestTls : requestPlain)(new URL(path, url), options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
        if (text.length > MOST_BYTES)
          request.destroy(new Error(`its answer is longer than ${MOST_BYTES / 1_000_000} MB`));
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)));
    request.once('error', (error) => reject(unavailable(explain(url.origin, error), { cause: error })));
    request.end(sent ?? undefined);
  });
}

function isOwn({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

const refusal = z.object({ error: z.string() });

/** Sends one request, and returns the `data` of the answer. Throws the Faults of `call` and `dataOf`. */
export async function callFor<T>(place: DaemonPlace, request: Request, schema: z.ZodType<T>): Promise<T> {
  return dataOf(place, await call(place, request), schema);
}

/**
 * Returns the `data` of an answer. Throws an `unavailable` Fault with the sentence of a refusal, or if the `data` does
 * not conform to `schema`.
 */
export function dataOf<T>(
  { url }: DaemonPlace,
  { status, body }: { status: number; body: string },
  schema: z.ZodType<T>,
): T {
  const refused = refusal.safeParse(jsonOf(body));
  if (status !== 200)
    throw new Fault(
      'unavailable',
      refused.success ? refused.data.error : `the daemon answered with the HTTP status ${status}`,
    );
  const read = z.object({ data: schema }).safeParse(jsonOf(body));
  if (!read.success) throw unavailable(`${url.origin} answers, but not as Dunlin does: check the address`);
  return read.data.data as T;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
