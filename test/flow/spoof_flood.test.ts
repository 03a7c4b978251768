import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { MavlinkReceiver } from '../support/sky/aircraft.ts';
import { heardOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const [UNTIL_S, FROM_S] = [50, 30];
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 8, UNTIL_S);
const pilot = placeAt(path(0).place, 200, 300);

t.test('a flood under the name of an aircraft leaves it where it is, and is told within 5 s', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  sky.ours('Anafi', serial);
  const names = { mac, serial, beginMs, untilS: UNTIL_S, pilot };
  const real = heardOf({ ...names, path, copies: 9 });
  const aside = (s: number) => ({ ...path(s), place: placeAt(path(s).place, 30 + s, 500) });
  const flood = heardOf({ ...names, path: aside, fromS: FROM_S, everyS: 1 / 400 });
  let worstM = 0;
  await sky.pass(beginMs + UNTIL_S * 1000, [...real, ...flood], () => {
    const [track] = sky.named(serial);
    if (!track?.position || sky.nowMs < beginMs + 5_000) return;
    const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
    worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
  });
  t.ok(worstM < 15, `${worstM.toFixed(1)} m off`);
  const toldS = (sky.alertedMs('friend_cloned') - beginMs) / 1000 - FROM_S;
  t.ok(toldS >= 0 && toldS <= 5, `friend_cloned after ${toldS.toFixed(1)} s`);
  t.ok(sky.named(serial).length <= 2, 'the flood is one aircraft more at most');
});

t.test('a spoof under another address, a few hundred metres beside: the track stays and both are marked', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  sky.ours('Anafi', serial);
  const names = { serial, beginMs, untilS: UNTIL_S, pilot };
  const real = heardOf({ ...names, mac, path, copies: 3 });
  const aside = (s: number) => ({ ...path(s), place: placeAt(path(s).place, 30, 300) });
  const spoof = heardOf({
    ...{ ...names, mac: '02:00:00:00:00:01', path: aside, fromS: FROM_S, everyS: 1, delayS: () => 0.6 },
    receiver: new MavlinkReceiver(4),
  });
  let worstM = 0;
  await sky.pass(beginMs + UNTIL_S * 1000, [...real, ...spoof], () => {
    const track = sky.named(mac)[0];
    if (!track?.position || sky.nowMs < beginMs + 5_000) return;
    const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
    worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
  });
  t.ok(worstM < 10, `${worstM.toFixed(1)} m off`);
  const toldS = (sky.alertedMs('friend_cloned') - beginMs) / 1000 - FROM_S;
  t.ok(toldS >= 0 && toldS <= 5, `friend_cloned after ${toldS.toFixed(1)} s`);
  const tracks = sky.named(serial);
  t.equal(tracks.length, 2);
  for (const { flags } of tracks) t.ok(flags.includes('id_duplicate'));
});
