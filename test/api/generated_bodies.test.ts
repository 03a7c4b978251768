import fc from 'fast-check';
import t from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { changedAt, placesOf, valuesOf } from '../support/http/generated_body.ts';
import {
  compileFor,
  type Described,
  type OpenApi,
  operationsOf,
  responseOf,
  type Schema,
  takesSession,
} from '../support/http/openapi.ts';
import { person } from '../support/http/person.ts';
import { ask, startRig } from '../support/http/server.ts';

onlyInFull(t);

type Case = Described & { url: string; headers: Record<string, string> };

async function withBodies(of: { teardown(stop: () => unknown): unknown }): Promise<Case[]> {
  const rig = await startRig(of);
  const { url } = rig;
  const { headers } = await person(rig, 'anna', 'owner');
  const document = JSON.parse((await ask(`${url}/api/openapi.json`)).text) as OpenApi;
  return operationsOf(document)
    .filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined)
    .map((one) => ({ ...one, url, headers: takesSession(one.operation) ? headers : {} }));
}

const schemaOf = ({ operation }: Case): Schema => operation.requestBody?.content['application/json']?.schema ?? {};
const exampleOf = ({ operation }: Case): unknown => operation.requestBody?.content['application/json']?.example;

/** Throws where the answer is none that the document describes, or is the service's own mistake. */
async function send(one: Case, body: unknown): Promise<{ status: number; error: string }> {
  const { url, document, path, method, operation } = one;
  const id = '11111111-2222-4333-8444-555555555555';
  const headers = { ...one.headers, 'content-type': 'application/json' };
  const text = JSON.stringify(body);
  const answer = await ask(url + path.replaceAll(/\{\w+\}/g, id), { method, headers, body: text });
  const said = `${method} ${path} ${text.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status >= 500 && answer.status !== 501 && answer.status !== 503) throw new Error(said);
  const response = responseOf(document, operation, answer.status);
  if (response === undefined) throw new Error(`not described: ${said}`);
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const validate = compileFor(document)(response.content[type]?.schema ?? {});
  if (type === 'application/json' && !validate(JSON.parse(answer.text)))
    throw new Error(`${said} ${JSON.stringify(validate.errors?.slice(0, 2))}`);
  return { status: answer.status, error: String(answer.body.error ?? '') };
}

t.test('whatever the schema of a body allows is answered as described', async (t) => {
  const seed = seedOf(t);
  for (const one of await withBodies(t)) {
    const bodies = valuesOf(one.document, schemaOf(one));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => void (await send(one, body))),
      { seed, numRuns: 15 },
    );
    t.pass(`${one.method} ${one.path}`);
  }
});

t.test('a value of another type, however deep, is refused as described', async (t) => {
  const seed = seedOf(t);
  for (const one of await withBodies(t)) {
    // Rows that may come one a line, or as a table, are judged one by one; the answer says which were refused.
    if (Object.keys(one.operation.requestBody?.content ?? {}).length > 1) continue;
    const example = exampleOf(one);
    const allows = compileFor(one.document)(schemaOf(one));
    const places = placesOf(example).filter((place) => place.length > 0);
    const wrong = fc.record({
      place: fc.constantFrom(...places),
      to: fc.constantFrom<unknown>(undefined, null, true, -1e300, 'surely not this', [], {}, [[]], {
        surely: 'unknown',
      }),
    });
    let refused = 0;
    if (places.length > 0)
      await fc.assert(
        fc.asyncProperty(wrong, async ({ place, to }) => {
          const body = changedAt(example, place, to);
          const { status, error } = await send(one, body);
          if (allows(body)) return;
          // Of a thing that is not there, that may be what is said.
          if (status !== 400 && status !== 404 && status !== 409)
            throw new Error(`${one.path}: ${status} for ${JSON.stringify(body)}`);
          if (error.length < 10) throw new Error(`'${error}' is no sentence`);
          refused++;
        }),
        { seed, numRuns: 30 },
      );
    t.ok(places.length === 0 || refused > 0, `${one.method} ${one.path}: ${refused} refused`);
  }
});
