import { needsSignIn, renewal, type Session, session } from '../state/session.ts';

/**
 * Refusal by the daemon, with its code and its unchanged sentence. Also a failure without an answer of the daemon, with
 * the code `no_link` or `no_envelope`.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, sentence: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

type Envelope<T> = { ok: true; data: T } | { ok: false; error: string; code: string };

function headersOf(method: string, hasBody: boolean): Record<string, string> {
  const { token, workspaceId, name } = session.peek();
  return {
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(token === null || workspaceId === null ? {} : { 'X-Workspace-Id': workspaceId }),
    // On the open surface the daemon knows only an address. The name that the person gave is sent for the audit log.
    ...(token === null && name !== null && method !== 'GET' ? { 'X-Operator': encodeURIComponent(name) } : {}),
  };
}

/** Headers with the credential, for GET requests that a library such as MapLibre sends by itself. */
export const readHeaders = (): Record<string, string> => headersOf('GET', false);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const NETWORK = 'The box cannot be reached over the network.';

/** Sends one request and returns the data of its envelope. Throws a Refusal with a sentence for the operator. */
export async function request<T>(method: Method, path: string, body?: object): Promise<T> {
  return (await answerOf<T>(method, path, body)).data;
}

/** Reads one page of a list. `cursor` leads to the next page; it is null on the last page. */
export async function requestPage<T>(path: string): Promise<{ rows: T; cursor: string | null }> {
  const { data, response } = await answerOf<T>('GET', path);
  return { rows: data, cursor: response.headers.get('X-Next-Cursor') };
}

async function answerOf<T>(method: Method, path: string, body?: object): Promise<{ data: T; response: Response }> {
  const sender = session.peek();
  const mount = sender.token === null ? '/api' : '/v1';
  let response: Response;
  try {
    response = await fetch(`${mount}/${path}`, {
      method,
      headers: headersOf(method, body !== undefined),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal(0, 'no_link', NETWORK);
  }
  const envelope = await envelopeOf<T>(response);
  if (envelope.ok) return { data: envelope.data, response };
  if (response.status === 401 && path !== 'auth/sign-in') {
    if (path !== 'auth/renew' && (await isRenewed(sender))) return answerOf(method, path, body);
    if (session.peek().token === sender.token) needsSignIn.value = true;
  }
  throw new Refusal(response.status, envelope.code, envelope.error);
}

/**
 * Whether the same user has a new token since `sender`, the session with which a request was sent. Waits for a running
 * renewal. The daemon refused the request for its old token and did not execute it, so it can be sent again.
 */
async function isRenewed(sender: Session): Promise<boolean> {
  await renewal.underWay;
  const { token, userId } = session.peek();
  return token !== null && token !== sender.token && userId === sender.userId;
}

async function envelopeOf<T>(response: Response): Promise<Envelope<T>> {
  try {
    return (await response.json()) as Envelope<T>;
  } catch {
    return { ok: false, code: 'no_envelope', error: `The answer ${response.status} is not from this service.` };
  }
}
