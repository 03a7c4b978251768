import fc from 'fast-check';
import t from 'tap';
import type { Identity } from '../../src/model/observation.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';

const address: Identity = { type: 'mavlink', value: 'rid:1:1', transport: 'mavlink' };
const forgedAddress = (i: number): Identity => ({ type: 'mac', value: `66:${i}`, transport: 'bt5' });

t.test('a vehicle that proves itself keeps its track, whatever is said under its names meanwhile', async (t) => {
  const seed = seedOf(t);
  const word = fc.record({
    /** How fast the forger walks away, m/s, and from where. */
    speed: fc.double({ min: 0, max: 400, noNaN: true }),
    from: fc.double({ min: -500, max: 5_000, noNaN: true }),
    names: fc.constantFrom<Identity[]>([serial('S1')], [address], [address, serial('S1')]),
    radio: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
    perS: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(word, fc.boolean(), ({ speed, from, names, radio, perS }, named) => {
      const core = new CoreWitness();
      const identities = named ? [address, serial('S1')] : [address];
      for (let s = 0; s < 40; s++) {
        const nowMs = s * 1000;
        const forged = Array.from({ length: s < 5 ? 0 : perS }, (_, i) => {
          const heard = radio === null ? names : [forgedAddress((radio + s + i) % 40), ...names];
          return positionAt(nowMs + i, from + speed * (s - 5), 300, { identities: heard, sensorId: 'ear' });
        });
        const own = positionAt(nowMs + 10, s * 12, 0, { identities, authentic: true, sensorId: 'vehicle' });
        core.step(nowMs + 20, ...forged, own);
        const card = core.cards.get(1);
        if (!card) throw new Error(`at ${s} s its track is gone`);
        const northM = (core.column(1, 'latDeg') - 47) * 111_194;
        if (s > 3 && Math.abs(northM - s * 12) > 30)
          throw new Error(`at ${s} s it is shown ${northM - s * 12} m beside`);
        const voice = card.contributors.find(({ sensorId }) => sensorId === 'vehicle');
        if (voice?.hits !== s + 1) throw new Error(`at ${s} s its own word went elsewhere (${voice?.hits} hits)`);
      }
    }),
    { seed, numRuns: sized(80) },
  );
});

const radio: Identity = { type: 'mac', value: '60:60:1F:00:00:07', transport: 'bt4' };

/** Ours flies north and proves itself each second; from 3 s on a receiver hears a radio, which tells its serial later. */
function besideOurs(eastM: number, serialFromS: number): CoreWitness {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    const own = positionAt(s * 1000, s * 10, 0, {
      identities: [address, serial('S1')],
      authentic: true,
      sensorId: 'vehicle',
    });
    const identities = s < serialFromS ? [radio] : [radio, serial('S1')];
    const heard = s < 3 ? [] : [positionAt(s * 1000 + 300, s * 10 + 3, eastM, { identities, sensorId: 'ear' })];
    core.step(s * 1000 + 400, own, ...heard);
  }
  return core;
}

t.test(
  'a radio that tells the serial of ours later than its place, where ours is, is ours: no other aircraft, no clone',
  async (t) => {
    const core = besideOurs(4, 6);
    t.same([...core.cards.keys()], [1]);
    t.notOk(core.cards.get(1)?.flags.includes('id_duplicate'));
    t.ok(core.cards.get(1)?.identities.some(({ value }) => value === radio.value));
  },
);

t.test('a radio that tells the serial of ours elsewhere stays another, and both are marked', async (t) => {
  const core = besideOurs(2_500, 6);
  t.equal(core.cards.size, 2);
  t.ok([...core.cards.values()].some(({ flags }) => flags.includes('id_duplicate')));
});
