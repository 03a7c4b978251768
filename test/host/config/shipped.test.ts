import { readFileSync } from 'node:fs';
import t from 'tap';
import { z } from 'zod';
import { loadConfig } from '../../../src/host/config/load.ts';
import { configSchema, defaultConfig } from '../../../src/host/config/schema.ts';
import { outletSpecSchema } from '../../../src/model/outlet.ts';
import { inTree } from '../root.ts';

const shipped = readFileSync(inTree('config/dunlin.yaml'), 'utf8');
const field = readFileSync(inTree('config/dunlin.field.yaml'), 'utf8');

type JsonSchema = { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[]; $ref?: string };

/** Every key of the schema, as paths without the indices of lists; read from the JSON Schema that zod makes of it. */
function keysOf(schema: JsonSchema, defs: Record<string, JsonSchema>, at = ''): string[] {
  if (schema.$ref !== undefined) return keysOf(defs[schema.$ref.replace('#/$defs/', '')] ?? {}, defs, at);
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    `${at}${key}`,
    ...keysOf(inner, defs, `${at}${key}.`),
  ]);
  return [...own, ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap((inner) => keysOf(inner, defs, at))];
}

function schemaKeys(): string[] {
  const json = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  return keysOf(json, json.$defs ?? {});
}

/** The file with its commented examples switched on. */
function withExamples(text: string): string {
  return text.replace(/^(links|outlets|sensors): \[\]$/gm, '$1:').replace(/^# {2}(.*)$/gm, '  $1');
}

/** Paths of the keys that stand in a YAML text of ours: two spaces a level, lists of mappings, no flow mappings. */
function textKeys(text: string): Set<string> {
  const above: { indent: number; key: string }[] = [];
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    const [, space = '', dash = '', key] = /^( *)(- )?([a-z_0-9]+):(?: |$)/.exec(line) ?? [];
    if (key === undefined) continue;
    const indent = space.length + dash.length;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    above.push({ indent, key });
    found.add(above.map((level) => level.key).join('.'));
  }
  return found;
}

t.test('config/dunlin.yaml gives exactly the defaults', async (t) => {
  const loaded = loadConfig({ file: 'config/dunlin.yaml', text: shipped });
  t.same(loaded.problems, []);
  t.same(loaded.warnings, []);
  t.strictSame(loaded.config, defaultConfig());
});

t.test('every key of the schema occurs in config/dunlin.yaml', async (t) => {
  const present = textKeys(withExamples(shipped));
  const keys = schemaKeys();
  t.ok(keys.length > 70, `${keys.length} keys`);
  t.ok(keys.includes('http.tls.cert_file') && keys.includes('sensors.placement.lat') && keys.includes('links.baud'));
  for (const key of keys) t.ok(present.has(key), key);
});

t.test('config/dunlin.yaml names no key that the schema does not know', async (t) => {
  const keys = new Set(schemaKeys());
  for (const key of textKeys(withExamples(shipped))) t.ok(keys.has(key), key);
});

t.test('the commented examples load when they are switched on, with the defaults they claim', async (t) => {
  const loaded = loadConfig({ file: 'x', text: withExamples(shipped) });
  t.same(loaded.problems, []);
  t.equal(loaded.config?.links.length, 4);
  t.equal(loaded.config?.sensors.length, 1);
  const { name, kind, transport, address, filter, ...outlet } = loaded.config?.outlets[0] ?? ({} as never);
  const plain = outletSpecSchema.parse({ name, kind, transport, address });
  t.match(plain, { ...outlet, filter: { ...filter, area: null } });
  t.equal(loaded.config?.outlets.length, 4);
  const { name: _, transport: __, address: ___, protocol: ____, ...claimed } = loaded.config?.links[0] ?? ({} as never);
  const bare = loadConfig({
    file: 'x',
    text: 'links:\n  - {name: a, transport: serial, address: /dev/x, protocol: sbs}',
  });
  t.match(bare.config?.links[0], claimed);
});

t.test('the field configuration is open to the box alone, as operator, and moves nothing for it', async (t) => {
  const { config, problems, warnings } = loadConfig({ file: 'config/dunlin.field.yaml', text: field });
  t.same(problems, []);
  t.same(warnings, []);
  t.equal(config?.http.listen, '127.0.0.1:8077');
  t.equal(config?.access.open_role, 'operator');
  t.equal(config?.control.open_surface, 'observe_only');
  t.same(config?.access.trusted_networks, ['127.0.0.0/8', '::1/128']);
  const examples = loadConfig({ file: 'x', text: withExamples(field) });
  t.same([...examples.problems, ...examples.warnings], []);
});
