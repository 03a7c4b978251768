import fc from 'fast-check';
import t from 'tap';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/host/config/load.ts';
import { type Config, configSchema } from '../../../src/host/config/schema.ts';
import { sized } from '../../support/basics/size.ts';
import { anyConfig } from './any_config.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
t.comment(`seed ${seed}`);

t.test('a valid configuration written as YAML loads to itself', async (t) => {
  fc.assert(
    fc.property(anyConfig, (wanted) => {
      const loaded = loadConfig({ file: 'x', text: stringify(wanted) });
      if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
      if (JSON.stringify(sorted(loaded.config)) !== JSON.stringify(sorted(wanted))) throw new Error('changed');
    }),
    { seed, numRuns: sized(300) },
  );
  t.pass('300 configurations');
});

t.test('a loaded configuration is a fixed point of the schema', async (t) => {
  fc.assert(
    fc.property(anyConfig, (wanted) => JSON.stringify(configSchema.parse(wanted)) !== '' && same(wanted)),
    { seed, numRuns: sized(100) },
  );
  t.pass('100 configurations');
});

function same(wanted: Config): boolean {
  return JSON.stringify(sorted(configSchema.parse(wanted))) === JSON.stringify(sorted(wanted));
}

/** The same value with its keys in order and without undefined, so that texts can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, sorted(child)]));
}

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 'udp', 'mavlink', '127.0.0.1:80', '20GB', 'radar'),
);

const lineForm = /^x:(\d+):(\d+): .+$|^x: and \d+ more$/s;

function holds(text: string): void {
  const loaded = loadConfig({ file: 'x', text });
  if (loaded.ok !== (loaded.problems.length === 0)) throw new Error('ok and problems disagree');
  for (const line of [...loaded.problems, ...loaded.warnings]) {
    if (!lineForm.test(line)) throw new Error(`not a problem line: ${line}`);
  }
}

t.test('any text is a configuration or a list of problems, never an exception', async (t) => {
  const letters = fc.constantFrom(
    ...'{}[]:-,&*!|>%@`"\'#? \n\tab0~<=.\u0000\ud800é'.split(''),
    'links',
    'http',
    '\n  ',
  );
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 60 }), (parts) => holds(parts.join(''))),
    {
      seed,
      numRuns: sized(2_000),
    },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100 }), holds), { seed, numRuns: sized(500) });
  t.pass('2500 texts');
});

t.test('any document of known and unknown keys is a configuration or a list of problems', async (t) => {
  const known = [
    'http',
    'listen',
    'tls',
    'data',
    'retention',
    'bytes',
    'links',
    'sensors',
    'name',
    'address',
    'placement',
  ];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.dictionary(fc.constantFrom(...known, 'x', '__proto__'), tie('tree'), { maxKeys: 5 }),
      fc.array(tie('tree'), { maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => holds(stringify(value))),
    { seed, numRuns: sized(1_000) },
  );
  t.pass('1000 documents');
});
