import fc from 'fast-check';
import t from 'tap';
import { boundsOf, fieldsOf, paramsOf } from '../../src/console/state/verb_form.ts';
import { commandParamsSchema, identifyingFields, kindsOf, verbNames, verbs } from '../../src/model/verb.ts';
import { seedOf } from '../support/basics/seed.ts';

const target = {
  ...{ place: '47.1, 8.2', track: '11111111-2222-4333-8444-555555555555' },
  asset: '11111111-2222-4333-8444-555555555555',
  zone: '11111111-2222-4333-8444-555555555555',
};
const full = {
  ...{ ...target, height_m: '40', speed_mps: '8', radius_m: '60', direction: 'clockwise', standoff_m: '100' },
  ...{ zoom: '50', mode: 'AUTO' },
};

t.test('whatever the form of a verb gives is what the verb takes, and has all that it needs', async (t) => {
  for (const verb of verbNames)
    for (const kind of kindsOf(verb)) {
      const outcome = paramsOf({ verb, limits: {} }, kind, full);
      if (!('params' in outcome)) throw new Error(`${verb} ${kind} lacks ${outcome.missing}`);
      const params = commandParamsSchema.parse(outcome.params);
      const { needed = [], taken = [] } = (
        verbs[verb].params as Record<string, { needed?: string[]; taken?: string[] }>
      )[kind] as { needed?: string[]; taken?: string[] };
      const own = Object.keys(params).filter((key) => !identifyingFields.has(key));
      t.same(
        own.filter((key) => ![...needed, ...taken].includes(key)),
        [],
        `${verb} ${kind}`,
      );
      for (const key of needed) t.ok(own.includes(key), `${verb} ${kind} needs ${key}`);
    }
});

t.test('a field that is missing or out of the bounds of the platform is named, and nothing is sent', async (t) => {
  const limits = { ceiling_agl_m: 120, max_speed_mps: 12 };
  t.same(paramsOf({ verb: 'takeoff', limits }, 'value', { height_m: '' }), { missing: 'height_m' });
  t.same(paramsOf({ verb: 'takeoff', limits }, 'value', { height_m: '121' }), { missing: 'height_m' });
  t.same(paramsOf({ verb: 'goto', limits }, 'point', { place: '91, 8' }), { missing: 'place' });
  t.same(paramsOf({ verb: 'goto', limits }, 'point', { place: '1, 2', speed_mps: '13' }), { missing: 'speed_mps' });
  t.same(paramsOf({ verb: 'shadow', limits }, 'track', { track: '' }), { missing: 'track' });
  t.same(paramsOf({ verb: 'goto', limits }, 'point', { place: '1, 2' }), { params: { kind: 'point', lat: 1, lon: 2 } });
  t.same(boundsOf('height_m', { limits }), { min: 1, max: 120 });
});

t.test('no text makes parameters that the box cannot read', async (t) => {
  const texts = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('NaN', 'Infinity', '-1', '1e9', '0x10', ' 5 ', '1,2'),
  );
  const anything = fc.record(Object.fromEntries(Object.keys(full).map((field) => [field, texts])));
  fc.assert(
    fc.property(fc.constantFrom(...verbNames), anything, (verb, filled) => {
      for (const kind of kindsOf(verb))
        for (const field of fieldsOf(verb, kind)) {
          const changed = { ...full, [field]: filled[field] ?? '' };
          const outcome = paramsOf({ verb, limits: {} }, kind, { ...changed, ...pick(target, field) });
          if ('params' in outcome) commandParamsSchema.parse(outcome.params);
        }
    }),
    { seed: seedOf(t), numRuns: 200 },
  );
});

/** Ids come from lists of the picture, never from typing. */
function pick(ids: typeof target, field: string): object {
  return field === 'place' ? {} : { track: ids.track, asset: ids.asset, zone: ids.zone };
}
