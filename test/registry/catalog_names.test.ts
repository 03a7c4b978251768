import fc from 'fast-check';
import t from 'tap';
import { type CatalogModel, catalogSpecSchema } from '../../src/model/catalog.ts';
import { builtins } from '../../src/registry/catalog/builtins.ts';
import { fold, NameIndex } from '../../src/registry/catalog/names.ts';
import { seedOf } from '../support/basics/seed.ts';

const index = new NameIndex(builtins);

t.test('every built-in platform is found by its own name however it is written, and no two share one', async (t) => {
  t.equal(new Set(builtins.map(({ name }) => fold(name))).size, builtins.length);
  for (const { spec } of builtins) t.ok(catalogSpecSchema.safeParse(spec).success, JSON.stringify(spec));
  const cut = fc.array(fc.constantFrom(' ', '-', '_', '  '), { maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom(...builtins), fc.boolean(), cut, ({ name }, upper, cuts) => {
      let written = upper ? name.toUpperCase() : name.toLowerCase();
      for (const [at, mark] of cuts.entries()) written = written.slice(0, at * 2) + mark + written.slice(at * 2);
      return index.find(written)?.name === name;
    }),
    { seed: seedOf(t) },
  );
});

t.test('the maker may be left out, and an alias stands for the name', async (t) => {
  const cases: [string, string][] = [
    ['mavic 3', 'DJI Mavic 3'],
    ['Mavic3E', 'DJI Mavic 3 Enterprise'],
    ['dji m3e', 'DJI Mavic 3 Enterprise'],
    ['anafi-usa', 'Parrot ANAFI USA'],
    ['EchoGuard', 'Echodyne EchoGuard'],
    ['ArduRover', 'ArduPilot Rover'],
    ['senseFly eBee X', 'AgEagle eBee X'],
  ];
  for (const [written, name] of cases) t.equal(index.find(written)?.name, name);
  t.equal(index.find('no such thing'), undefined);
});

t.test(
  'a name of several is refused with the candidates; a name of its own stands above what others are called',
  async (t) => {
    t.throws(() => index.find('Quad'), { code: 'conflict', message: /ArduPilot Quad.*PX4 Quad/ });
    const own: CatalogModel = { name: 'Kite', kind: 'platform', spec: {} };
    const other: CatalogModel = { name: 'Big Kite', kind: 'platform', spec: { aliases: ['kite'] } };
    t.equal(new NameIndex([other, own]).find('KITE'), own);
  },
);
