import t from 'tap';
import type { Identity, Observation } from '../../src/model/observation.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';
import { circling, displaced, straight } from '../support/sky/flight.ts';
import { SiteAxes } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const external = (value: string): Identity => ({ type: 'external', value, transport: 'network' });
const icao24 = (value: string): Identity => ({ type: 'icao24', value, transport: 'adsb' });
const radarA = '00000000-0000-8000-8000-00000000000a';
const radarB = '00000000-0000-8000-8000-00000000000b';
const receiver = '00000000-0000-8000-8000-00000000000c';

function at(atMs: number, northM: number, more: Partial<Observation>): Observation {
  return positionAt(atMs, northM, 0, { sensorId: radarA, linkId: 'a', ...more });
}

t.test('one number of another system is one track on its link, and another track on another link', async (t) => {
  const core = new CoreWitness();
  const identities = [external('1/2#7')];
  for (let s = 0; s < 5; s++) {
    core.step(
      s * 1000,
      at(s * 1000, s * 10, { identities }),
      at(s * 1000, 3_000 + s * 10, { identities, sensorId: radarB, linkId: 'b' }),
    );
  }
  t.same(core.numbers(), [1, 2]);
  t.same(
    core.numbers().map((number) => core.state(number)),
    ['confirmed', 'confirmed'],
  );
  t.same(core.cards.get(1)?.flags, [], 'equal numbers of two systems are no duplicate');
});

t.test('a number that jumps is not judged like a transmitter', async (t) => {
  const core = new CoreWitness();
  const identities = [external('9')];
  for (let s = 0; s < 20; s++) core.step(s * 1000, at(s * 1000, s % 2 === 0 ? 0 : 250, { identities }));
  t.same(core.numbers(), [1]);
  t.match(core.cards.get(1), { flags: [], integrity: { verdict: 'unchecked', reasons: [] } });
});

t.test('the aircraft’s own identities come first, whichever arrived first', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 3; s++) core.step(s * 1000, at(s * 1000, 0, { identities: [external('5')] }));
  for (let s = 3; s < 6; s++)
    core.step(s * 1000, at(s * 1000, 0, { identities: [external('5'), icao24('4B1801'), serial('S-1')] }));
  t.same(core.numbers(), [1]);
  t.same(
    core.cards.get(1)?.identities.map(({ type }) => type),
    ['icao24', 'serial', 'external'],
  );
});

t.test('a number that changes from one aircraft to another does not make them one', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    const own = (value: string) => ({ identities: [icao24(value)], sensorId: receiver, linkId: 'r' });
    const given = s < 10 ? [external('5'), icao24('AAAAAA')] : [external('5'), icao24('BBBBBB')];
    core.step(
      s * 1000,
      at(s * 1000, 0, own('AAAAAA')),
      at(s * 1000, 120, own('BBBBBB')),
      at(s * 1000, s < 10 ? 0 : 120, { identities: given }),
    );
  }
  t.same(core.numbers(), [1, 2]);
  t.same(core.removed, []);
});

t.test('a track of an earlier run is that of the link that reports its number first', async (t) => {
  const first = new CoreWitness();
  const identities = [external('1/2#7')];
  for (let s = 0; s < 5; s++) first.step(s * 1000, at(s * 1000, s * 10, { identities }));
  const card = first.cards.get(1);
  t.ok(card);
  for (const link of [{ link: 'a' }, {}]) {
    const core = new CoreWitness();
    if (card) core.core.restore([{ ...card, ...link, lastSeenMs: 4_000 }]);
    for (let s = 6; s < 10; s++) {
      core.step(
        s * 1000,
        at(s * 1000, s * 10, { identities }),
        at(s * 1000, 3_000 + s * 10, { identities, sensorId: radarB, linkId: 'b' }),
      );
    }
    t.match(core.cards.get(1)?.id, card?.id);
    t.same(core.numbers().length, 2, 'and the other link has a track of its own');
  }
});

const site = new SiteAxes(46.2, 6.1, 400);
const flight = circling([900, 700, 120], 300, 12);

/** A radar over an empty place, and a source that reports an aircraft there. */
function unseen(seed: number, identities: Identity[], fused: boolean): WatchedSky {
  const sky = new Sky(site, seed);
  const radar = sky.eye([0, 0, 10]);
  const voice = sky.voice(sky.ear(fused), identities);
  for (let s = 0; s < 40; s++) {
    sky.look(radar, s, []);
    sky.claim(voice, s + 0.3, flight, 0.2);
  }
  return new WatchedSky(sky);
}

t.test('a track of another system that no sensor sees is not suspect; a claim of an aircraft is', async (t) => {
  for (let seed = 1; seed <= 3; seed++) {
    const other = unseen(seed, [external('7')], true);
    for (let s = 1; s <= 40; s++) {
      other.until(s);
      t.notOk(
        other.of('7').some(({ card }) => card.integrity.verdict === 'suspect'),
        `${s} s`,
      );
    }
    t.ok(other.of('7').length > 0, 'it has a track');
    const liar = unseen(seed, [serial('S-1')], false);
    liar.until(40);
    t.match(liar.of('S-1')[0]?.card.integrity.reasons, [{ id: 'not_seen_by_sensor' }]);
  }
});

t.test('a track of another system bears out no claim, however well it agrees', async (t) => {
  const sky = new Sky(site, 4);
  const [claim, told] = [sky.voice(sky.ear(), [serial('S-1')]), sky.voice(sky.ear(true), [external('7')])];
  for (let s = 0; s < 40; s++) {
    sky.claim(claim, s, flight);
    sky.claim(told, s + 0.2, flight);
  }
  const watched = new WatchedSky(sky);
  watched.until(40);
  t.match(watched.of('S-1')[0]?.card, { integrity: { verdict: 'unchecked' }, cooperative: 'coop_only' });
});

t.test('plots and places without a number, from another system, move no track', async (t) => {
  const sky = new Sky(site, 5);
  const claim = sky.voice(sky.ear(), [serial('S-1')]);
  const other = sky.eye([0, 0, 10], { seeing: { clutterPerScan: 0 } });
  for (const sensor of sky.sensors) if (sensor.index === other.index) sensor.fused = true;
  for (let s = 0; s < 30; s++) {
    sky.claim(claim, s, flight);
    sky.plot(other, s + 0.1, flight(s + 0.1).place);
    sky.plot(other, s + 0.1, displaced(straight([2_000, 0, 100], [10, 0, 0]), [0, 0, 0])(s).place);
  }
  const watched = new WatchedSky(sky);
  watched.until(30);
  t.equal(watched.shown().length, 1);
  t.match(watched.of('S-1')[0]?.card, { integrity: { verdict: 'unchecked' }, cooperative: 'coop_only' });
});

t.test(
  'a track of an earlier run goes on by its number, on the first link that reports it and on no other',
  async (t) => {
    const core = new CoreWitness();
    const left = { id: '00000000-0000-4000-8000-000000000001', number: 7, firstSeenMs: 0, lastSeenMs: 0 };
    const said = {
      classification: [],
      operator: null,
      takeoff: null,
      status: null,
      contributors: [],
      claims: [],
      lineage: [],
      flags: [],
    };
    const identities = [{ ...external('5'), firstMs: 0, lastMs: 0 }];
    core.core.restore([{ ...left, ...said, identities, cooperative: 'coop_only' }]);
    for (let s = 1; s < 6; s++) {
      core.step(
        s * 1000,
        at(s * 1000, 0, { identities: [external('5')] }),
        at(s * 1000, 5_000, { identities: [external('5')], sensorId: radarB, linkId: 'b' }),
      );
    }
    t.equal(core.numbers().length, 2);
    t.equal(core.state(7), 'confirmed');
  },
);
