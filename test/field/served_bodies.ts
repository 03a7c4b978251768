import type { Daemon } from '../support/daemon/daemon.ts';
import type { Member } from '../support/daemon/signed_in.ts';
import { type Place, placesOf } from '../support/http/generated_body.ts';
import { type Described, isAsDescribed, type OpenApi, operationsOf } from '../support/http/openapi.ts';
import { type Answer, ask } from '../support/http/server.ts';

/** An operation of a running daemon that takes a JSON body, with an example that it takes and ids that there are. */
export type ServedBody = Described & { example: Record<string, unknown>; texts: Place[] };

/** Ends whose session: not what is to be tried with hostile bodies again and again. */
const leftOut = new Set(['/api/auth/sign-in', '/api/workspaces']);

/** Whoever asks is owner of the workspace; what is made is taken away again where it can be. */
export class ServedBodies {
  readonly all: ServedBody[];
  readonly #daemon: Daemon;
  readonly #by: Member;
  readonly #operations: Set<string>;
  readonly #ids = new Map<string, string>();
  #made = 0;

  static async of(daemon: Daemon, by: Member): Promise<ServedBodies> {
    const { text } = await ask(`${daemon.url}/api/openapi.json`);
    return new ServedBodies(daemon, by, JSON.parse(text) as OpenApi);
  }

  constructor(daemon: Daemon, by: Member, document: OpenApi) {
    this.#daemon = daemon;
    this.#by = by;
    const operations = operationsOf(document);
    this.#operations = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    this.all = operations.flatMap((one) => {
      const example = one.operation.requestBody?.content['application/json']?.example;
      if (typeof example !== 'object' || example === null || leftOut.has(one.path)) return [];
      const usable = withFreePort(example as Record<string, unknown>);
      return [{ ...one, example: usable, texts: placesOf(usable).filter((place) => isText(usable, place)) }];
    });
  }

  /** Sends a body, which may be JSON text already; throws where the answer is none that the document describes. */
  async send(one: ServedBody, body: unknown): Promise<Answer> {
    const id = one.path.includes('{id}') ? await this.#idFor(one.path) : '';
    const path = one.path.replace('/api/', '/v1/').replace('{id}', id);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await ask(this.#daemon.url + path, {
      method: one.method,
      headers: { ...this.#by.headers(), 'content-type': 'application/json' },
      body: text,
    });
    const said = `${one.method} ${one.path} ${text.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 300)}`;
    if (answer.status >= 500) throw new Error(said);
    const wrong = isAsDescribed(one, answer);
    if (wrong !== null) throw new Error(`${said}: ${wrong}`);
    await this.#takeAway(one, answer);
    return answer;
  }

  of(operation: string): ServedBody {
    const found = this.all.find(({ method, path }) => `${method} ${path}` === operation);
    if (found === undefined) throw new Error(`the document has no ${operation} with a body`);
    return found;
  }

  /** The example with names that nothing bears yet. */
  fresh({ example }: ServedBody): Record<string, unknown> {
    const mark = ` ${++this.#made}`;
    const named = Object.entries(example).map(([key, value]) => {
      if (key === 'name' || key === 'username')
        return [key, `${value}${mark}`.replace(' ', key === 'name' ? ' ' : '.')];
      return [key, value];
    });
    return Object.fromEntries(named) as Record<string, unknown>;
  }

  /** What such an operation is tried on: one thing for each list, made by its own example. */
  async #idFor(path: string): Promise<string> {
    const list = path.slice(0, path.indexOf('/{id}'));
    const known = this.#ids.get(list);
    if (known !== undefined) return known;
    const maker = this.all.find((one) => one.path === list && one.method === 'POST');
    const body = maker && (await this.#known(maker));
    const answer = maker && (await this.#by.ask('POST', list.replace('/api/', '/v1/'), body));
    const made = (answer?.body.data as { id?: string } | undefined)?.id;
    const id = made ?? '11111111-2222-4333-8444-555555555555';
    this.#ids.set(list, id);
    return id;
  }

  /** An asset that an example names is one that there is. */
  async #known(one: ServedBody): Promise<Record<string, unknown>> {
    const body = this.fresh(one);
    return 'asset_id' in body ? { ...body, asset_id: await this.#idFor('/api/assets/{id}') } : body;
  }

  async #takeAway({ method, path }: ServedBody, { status, body }: Answer): Promise<void> {
    const { id } = (body.data ?? {}) as { id?: string };
    if (status !== 200 || method !== 'POST' || path.includes('{id}') || id === undefined) return;
    const list = path === '/api/assets/from-catalog' ? '/api/assets' : path;
    if (this.#operations.has(`DELETE ${list}/{id}`))
      await this.#by.ask('DELETE', `${list.replace('/api/', '/v1/')}/${id}`);
  }
}

function isText(value: unknown, place: Place): boolean {
  return typeof at(value, place) === 'string';
}

/** What stands at a place. */
export function at(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** Links of the example listen on no port of the machine that something else may want. */
function withFreePort(example: Record<string, unknown>): Record<string, unknown> {
  return 'transport' in example ? { ...example, address: '127.0.0.1:0' } : example;
}
