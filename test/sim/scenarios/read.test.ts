import fc from 'fast-check';
import t from 'tap';
import { stringify } from 'yaml';
import { builtinDeps, builtinText } from '../../../src/sim/scenarios/builtins.ts';
import { lineOf, ScenarioRefusal } from '../../../src/sim/scenarios/fault.ts';
import { readScenario, scenarioOf } from '../../../src/sim/scenarios/read.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';

onlyInFull(t);

const good = `name: short
duration_s: 60
origin: {lat: 52, lon: 4}
actors:
  - id: a
    kind: drone
    start: {east_m: 0, north_m: 0}
sensors: []
`;
const faultsOf = (text: string): string[] => readScenario(text, builtinDeps).faults.map(lineOf);

t.test('what is left out is as it is by default', async (t) => {
  const { spec, faults } = readScenario(good, builtinDeps);
  t.same(faults, []);
  t.match(spec, { seed: 1, starts_at: '2026-06-01T10:00:00.000Z', zones: [], actors: [{ appears_s: 0, route: [] }] });
});

t.test('every fault is named with line, column and path, and the nearest word is offered', async (t) => {
  const text = `name: short
duration_s: 60
duration: 5
origin: {lat: 86, lon: 4}
actors:
  - id: Big Bird
    kind: dron
    start: {east_m: .nan, north_m: .inf}
    route:
      - {east_m: 1, north_m: 1, speed: 5}
    behaviour: {kind: orbit, target: {actr: b}, radius_m: 2}
  - kind: drone
    start: {east_m: 0}
sensors:
  - {id: r, modality: radr, placement: {east_m: 0, north_m: 0}}
`;
  t.same(faultsOf(text), [
    "line 3, column 1: 'duration' is an unknown key, did you mean duration_s?",
    "line 4, column 15: 'origin.lat' must be at most 85; received 86",
    "line 6, column 9: 'actors[0].id' must be 1 to 40 small letters, digits, - or _",
    'line 7, column 11: \'actors[0].kind\' must be one of drone, bird, aircraft, asset, spoofer, swarm; received "dron", did you mean drone?',
    "line 8, column 21: 'actors[0].start.east_m' is invalid: expected a number, received NaN",
    "line 8, column 36: 'actors[0].start.north_m' is invalid: expected a number, received Infinity",
    "line 10, column 33: 'actors[0].route[0].speed' is an unknown key",
    "line 11, column 38: 'actors[0].behaviour.target.actor' is required",
    "line 11, column 39: 'actors[0].behaviour.target.actr' is an unknown key, did you mean actor?",
    "line 11, column 59: 'actors[0].behaviour.radius_m' must be at least 5; received 2",
    "line 12, column 5: 'actors[1].id' is required",
    "line 13, column 12: 'actors[1].start.north_m' is required",
    'line 15, column 23: \'sensors[0].modality\' must be one of remote_id, adsb, radar, rf, camera, acoustic; received "radr", did you mean radar?',
    "line 15, column 40: 'sensors[0].placement.max_range_m' is required",
  ]);
});

t.test('the sentence of a refusal names every fault, and JSON is told by line as YAML is', async (t) => {
  const text = `{"name": "x",\n "duration_s": 0,\n "origin": {"lat": 1, "lon": 2},\n "actors": [], "sensors": [],\n "seed": "1"}`;
  try {
    scenarioOf(text, builtinDeps);
    t.fail('it was taken');
  } catch (thrown) {
    t.ok(thrown instanceof ScenarioRefusal);
    t.match(thrown, {
      code: 'invalid_input',
      message:
        "line 2, column 16: 'duration_s' must be at least 1; received 0; line 5, column 10: 'seed' is invalid: expected a number, received text",
      faults: [
        { line: 2, column: 16, path: 'duration_s' },
        { line: 5, column: 10, path: 'seed' },
      ],
    });
  }
});

const refused: Record<string, [text: string, says: RegExp]> = {
  'an anchor': [`${good}wind: &w {speed_mps: 1, from_deg: 0}\n`, /line 9, column \d+: .*anchor &w/],
  'an alias': [`${good}wind: *w\n`, /alias \*w|alias/],
  'a bomb of aliases': ['a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\nname: *c\n', /alias \*c/],
  'a merge key': [`${good}<<: {seed: 2}\n`, /line 9, column 1: .*unknown key/],
  'a merge key of YAML 1.1': [`%YAML 1.1\n---\n${good}<<: {seed: 2}\n`, /directive/],
  'a tag': [`${good}seed: !!int "5"\n`, /tag tag:yaml.org,2002:int is not allowed/],
  'a tag that nobody knows': [`${good}seed: !env HOME\n`, /tag !env/],
  'a second document': [`${good}---\n${good}`, /second document/],
  'the same key twice': [`${good}seed: 1\nseed: 2\n`, /line 10, column 1: .*unique/],
  'the same key twice in JSON': ['{"name": "x",\n"name": "y"}', /line 2, column 1: .*same key twice/],
  'a key that is a list': [`${good}? [a]\n: 1\n`, /a key must be a single word/],
  'no number': [`${good}seed: .nan\n`, /line 9, column 7: 'seed' .* NaN/],
  'a number without end': [good.replace('60', '1e999'), /'duration_s' .*Infinity/],
  'a prototype': ['{"name": "x", "__proto__": {"seed": 2}}', /__proto__.* is not allowed/],
  'a prototype in YAML': [`${good}__proto__: {seed: 2}\n`, /__proto__.* is not allowed/],
  'half a character': ['{"name": "\\ud800"}', /surrogate/],
  'too deep in JSON': [`{"a": ${'['.repeat(17)}${']'.repeat(17)}}`, /nested more than 16 deep/],
  'too deep in YAML': [`${good}a: ${'['.repeat(17)}${']'.repeat(17)}\n`, /nested more than 16 deep/],
  'much too deep in JSON': [`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested more than 16 deep/],
  'much too deep in YAML': [`a: ${'['.repeat(100_000)}`, /nested more than 16 deep/],
  'more than 1 MiB': [`${good}# ${'x'.repeat(1_048_576)}`, /longer than 1 MiB/],
  'more than 1 MiB of bytes': [`${good}# ${'ü'.repeat(600_000)}`, /longer than 1 MiB/],
  'a list of lists of nothing': [`{"actors": [${'[],'.repeat(100_000)}[]]}`, /more than 40000 values/],
  'as much in YAML': [`actors: [${'[],'.repeat(100_000)}[]]`, /write it as JSON/],
  'a billion actors': [
    good.replace('    kind: drone', '    kind: swarm\n    count: 1000000000'),
    /'actors\[0\].count' must be at most 500/,
  ],
  'nothing at all': ['', /the document .* expected a mapping .*received nothing/],
  'a list': ['[]', /the document .* expected a mapping .*received a list/],
  'a word': ['hello', /the document .* expected a mapping .*received text/],
  'long JSON with a fault': [
    `{"actors": [\n${'{"id": 5},\n'.repeat(3_000)}{"id": oops}]}`,
    /line 3002, column 8: the document is not valid JSON here/,
  ],
  'a mapping of too many': [
    `{"a": {${Array.from({ length: 201 }, (_, i) => `"k${i}":0`).join()}}}`,
    /'a' has more than 200 keys/,
  ],
  'JSON that breaks off': ['{"name": "x"', /line 1, column \d+/],
};

t.test('what is no plain document is refused and says where', async (t) => {
  for (const [what, [text, says]] of Object.entries(refused)) {
    const faults = faultsOf(text);
    t.ok(faults.length > 0, what);
    t.match(faults.join('\n'), says, what);
    for (const fault of faults) t.match(fault, /^line \d+, column \d+: /);
  }
});

t.test('no more faults are told than a person reads', async (t) => {
  const actors = Array.from({ length: 400 }, (_, i) => ({ id: `A ${i}`, kind: 'x', start: {} }));
  const text = JSON.stringify({ name: 'x', duration_s: 1, origin: { lat: 0, lon: 0 }, actors, sensors: [] });
  const { faults } = readScenario(text, builtinDeps);
  t.equal(faults.length, 100);
  t.ok(new ScenarioRefusal(faults).message.length < 1_500);
  t.match(new ScenarioRefusal(faults).message, /\(and \d+ more\)$/);
});

/** The work of one reading, in milliseconds of processor time: the machine may be busy with others. */
function costOf(text: string): number {
  const before = process.cpuUsage();
  readScenario(text, builtinDeps);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ': ',
    ', ',
    '- ',
    '? ',
    '\n',
    '\n  ',
    '&a ',
    '*a',
    '!t ',
    '"',
    "'",
    '\\',
    '|\n',
    '>\n',
    '#',
    '%',
    '@',
  ],
  ...[
    '---\n',
    '...\n',
    '<<: ',
    '~',
    '.nan',
    '.inf',
    '0x10',
    '1e999',
    '\0',
    '\ufeff',
    '\u2028',
    '\ud800',
    '\t',
    '\r',
    'ä',
  ],
  ...[
    'name',
    'actors',
    'id',
    'kind',
    'drone',
    'start',
    'route',
    'behaviour',
    'orbit',
    'target',
    'actor',
    'zones',
    'east_m',
    '5',
  ],
);
const sized = fc.constantFrom(1, 1, 1, 40, 3_000, 200_000);
const soups = fc
  .array(
    fc.tuple(
      fc.array(pieces, { minLength: 1, maxLength: 5 }).map((some) => some.join('')),
      sized,
    ),
    { maxLength: 8 },
  )
  .map((parts) =>
    parts.map(([text, times]) => text.repeat(Math.min(times, Math.ceil(1_000_000 / text.length)))).join(''),
  );

t.test('no text costs five times the largest ordinary scenario in YAML, and nothing is thrown', async (t) => {
  // Told in costs of this machine: a busy one takes twice the time for the same work.
  const ordinary = 'a: b\n'.repeat(4_900);
  const limit = 5 * Math.min(...Array.from({ length: 6 }, () => costOf(ordinary)));
  let worst = { ms: 0, text: '' };
  const judge = (text: string): boolean => {
    const first = costOf(text);
    // The collector and the compiler may have been at work meanwhile: what is slow is slow again.
    const sure = first > limit / 2 ? Math.min(first, costOf(text), costOf(text)) : first;
    if (sure > worst.ms) worst = { ms: sure, text };
    return sure < limit;
  };
  const result = fc.check(fc.property(soups, judge), { seed: seedOf(t), numRuns: 150, endOnFailure: true });
  t.notOk(result.failed, `${JSON.stringify(result.counterexample)?.slice(0, 300)} ${result.errorInstance ?? ''}`);
  const heavy = [
    '\\'.repeat(1_000_000),
    `"${'\\q'.repeat(500_000)}"`,
    ']'.repeat(1_000_000),
    '} '.repeat(500_000),
    ordinary,
    `"${'a '.repeat(500_000)}`,
    `- ${'a: '.repeat(9_000)}`,
    `{"a": [${'0,'.repeat(50_000)}0]}`,
    `{"actors": [${'0,'.repeat(50_000)}0]}`,
    `{"actors": [${'{"x":0},'.repeat(20_000)}0]}`,
    `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
    `{"name": "${'x'.repeat(1_000_000)}"}`,
    `{${'"a":0,'.repeat(100_000)}"a":0}`,
    `{"zones": [{"name": "z", "kind": "protected", "geometry": {"type": "Polygon", "coordinates": [[${'[1,2],'.repeat(19_000)}[1,2]]]}}]}`,
  ];
  for (const text of heavy) t.ok(judge(text), `${text.slice(0, 30)}… ${worst.ms.toFixed(0)} ms`);
  // A line separator of Unicode in a comment would end the report.
  const shown = JSON.stringify(worst.text.slice(0, 80)).replace(/[^ -~]/g, '·');
  t.comment(`the slowest took ${worst.ms.toFixed(0)} of ${limit.toFixed(0)} ms: ${shown}`);
});

const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'x', 0, -1, 1e308, 5.5, [], {}, [[]], Number.NaN, 'intruder', 'radar'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

t.test(
  'a scenario of which any part is another thing is taken or refused by its path, in YAML as in JSON',
  async (t) => {
    const { spec } = readScenario(builtinText('spoofed_remote_id'), builtinDeps);
    const places = placesOf(spec);
    const mutant = fc.tuple(fc.constantFrom(...places), scalars);
    let refusals = 0;
    const result = fc.check(
      fc.property(mutant, ([place, value]) => {
        const changed = structuredClone(spec) as unknown;
        const holder = place.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], changed);
        (holder as Record<string, unknown>)[String(place.at(-1))] = value;
        const [json, yaml] = [JSON.stringify(changed, null, 1), stringify(changed, { aliasDuplicateObjects: false })];
        const [one, other] = [readScenario(json, builtinDeps), readScenario(yaml, builtinDeps)];
        if (one.spec === null) refusals++;
        for (const { line, column, text } of [...one.faults, ...other.faults])
          if (!(line >= 1 && column >= 1 && text.length > 5)) return false;
        // JSON has no word for what is no number.
        if (Number.isNaN(value)) return other.spec === null;
        return JSON.stringify(one.spec) === JSON.stringify(other.spec);
      }),
      { seed: seedOf(t), numRuns: 300 },
    );
    t.notOk(result.failed, `${JSON.stringify(result.counterexample)} ${result.errorInstance ?? ''}`);
    t.ok(refusals > 100, `${refusals} were refused`);
  },
);

function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    ...(at.length > 0 ? [at] : []),
    ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key])),
  ];
}
