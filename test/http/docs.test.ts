import { runInNewContext } from 'node:vm';
import t from 'tap';
import { ask, startRig } from '../support/http.ts';

/** As much of a browser's page as the script uses. */
class Node {
  readonly tagName: string;
  readonly attributes: Record<string, string> = {};
  readonly listeners: Record<string, () => void> = {};
  children: (Node | string)[] = [];
  hidden = false;
  open = false;
  value = '';

  constructor(tag: string) {
    this.tagName = tag.toUpperCase();
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(child: Node | string): void {
    this.children.push(child);
  }
  replaceChildren(...children: (Node | string)[]): void {
    this.children = children;
  }
  addEventListener(name: string, listener: () => void): void {
    this.listeners[name] = listener;
  }
  scrollIntoView(): void {}
  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }
  set textContent(text: string) {
    this.children = [text];
  }
  *walk(): Generator<Node> {
    yield this;
    for (const child of this.children) if (typeof child !== 'string') yield* child.walk();
  }
}

type Page = { main: Node; count: Node; filter: Node; contents: Node; find(id: string): Node | undefined };

/** Runs the served script over an answer to its request for the document. */
async function openPage(script: string, answer: { ok: boolean; document: unknown }, hash = ''): Promise<Page> {
  const ids = Object.fromEntries(['main', 'count', 'filter', 'contents', 'title'].map((id) => [id, new Node('div')]));
  const find = (id: string): Node | undefined =>
    ids[id] ?? [...(ids.main as Node).walk()].find((node) => node.attributes.id === id);
  let settled: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    settled = resolve;
  });
  runInNewContext(script, {
    document: {
      createElement: (tag: string) => new Node(tag),
      getElementById: (id: string) => find(id) ?? null,
      querySelectorAll: () => [...(ids.main as Node).walk()].filter(({ tagName }) => tagName === 'DETAILS'),
    },
    window: { addEventListener: () => settled() },
    location: { hash },
    fetch: async () => {
      // The page is done, or has shown its fault, a few turns after the document is there.
      setImmediate(() => setImmediate(settled));
      return { ok: answer.ok, json: async () => answer.document };
    },
  });
  await done;
  return { ...(ids as unknown as Pick<Page, 'main' | 'count' | 'filter' | 'contents'>), find };
}

t.test('the page brings nothing inline and asks for nothing from elsewhere', async (t) => {
  const rig = await startRig(t);
  const page = await ask(`${rig.url}/docs`);
  t.notMatch(page.text, /<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/);
  for (const [path, type] of [
    ['/docs/docs.js', /^text\/javascript/],
    ['/docs/docs.css', /^text\/css/],
  ] as const) {
    const asset = await ask(rig.url + path);
    t.equal(asset.status, 200);
    t.match(asset.headers.get('content-type'), type);
    t.ok(page.text.includes(path));
    t.notMatch(asset.text, /https?:|innerHTML|eval\(|document\.write/);
  }
});

t.test('every operation, parameter, schema and failure of the document is drawn', async (t) => {
  const rig = await startRig(t);
  const document = JSON.parse((await ask(`${rig.url}/api/openapi.json`)).text);
  const page = await openPage((await ask(`${rig.url}/docs/docs.js`)).text, { ok: true, document });
  let operations = 0;
  for (const [path, methods] of Object.entries<
    Record<string, { operationId: string; summary: string; parameters?: { name: string }[]; responses: object }>
  >(document.paths)) {
    for (const of of Object.values(methods)) {
      const text = page.find(of.operationId)?.textContent ?? '';
      t.ok(text.includes(path) && text.includes(of.summary), of.operationId);
      for (const { name } of of.parameters ?? []) t.ok(text.includes(name), `${of.operationId} ${name}`);
      for (const status of Object.keys(of.responses)) if (status !== '200') t.ok(text.includes(status));
      operations++;
    }
  }
  for (const name of Object.keys(document.components.schemas)) t.ok(page.find(`schema-${name}`), name);
  t.match(page.find('schema-Track')?.textContent, /position\.lat.*contributors\[\]\.sensor_id/);
  t.equal(page.count.textContent, `${operations + Object.keys(document.components.schemas).length} shown`);
});

t.test('the filter hides what has none of its words, and an address opens its entry', async (t) => {
  const rig = await startRig(t);
  const document = JSON.parse((await ask(`${rig.url}/api/openapi.json`)).text);
  const page = await openPage((await ask(`${rig.url}/docs/docs.js`)).text, { ok: true, document }, '#get_tracks');
  t.equal(page.find('get_tracks')?.open, true);
  t.equal(page.find('get_links')?.open, false);
  page.filter.value = 'Kml history';
  page.filter.listeners.input?.();
  t.equal(page.find('get_tracks_id_history')?.hidden, false);
  t.equal(page.find('get_links')?.hidden, true);
  t.equal(page.count.textContent, '1 shown');
});

t.test('a document that is refused leaves its sentence on the page', async (t) => {
  const rig = await startRig(t);
  const refused = { ok: false, error: 'a credential is needed', code: 'unauthenticated' };
  const page = await openPage((await ask(`${rig.url}/docs/docs.js`)).text, { ok: false, document: refused });
  t.equal(page.main.textContent, 'The document cannot be shown: a credential is needed');
});
