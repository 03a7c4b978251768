import { readFileSync } from 'node:fs';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween } from '../support/basics/place.ts';
import { framesOf } from '../support/core/remote_id_receiver.ts';
import { sample, samplesMissing } from '../support/daemon/dunlin.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const options = { skip: samplesMissing };
/** How often a short capture is played after itself. */
const ROUNDS = 4;

function bytesOf(path: string): Heard[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { t: s, hex } = JSON.parse(line) as { t: number; hex: string };
      return { atMs: s * 1000, bytes: Buffer.from(hex, 'hex') };
    });
}

t.test(
  'a captured test transmitter, whose every location tells the time 0, stays in the picture',
  options,
  async (t) => {
    const capture = bytesOf(sample('remote_id/odid_wifi.derived_mavlink.jsonl'));
    const [first, last] = [capture[0]?.atMs ?? 0, capture.at(-1)?.atMs ?? 0];
    const heard = Array.from({ length: ROUNDS }, (_, round) =>
      capture.map(({ atMs, bytes }) => ({ atMs: atMs + round * (last - first + 500), bytes })),
    ).flat();
    const untilMs = heard.at(-1)?.atMs ?? 0;
    const sky = await DrivenSky.open(t, first - 1_000);
    const states = new Set<string>();
    await sky.pass(untilMs, heard, () => {
      if (sky.nowMs > first + 3_000) states.add(sky.tracks()[0]?.state ?? 'none');
    });
    t.same([...states], ['confirmed']);
    t.equal(sky.tracks().length, 1);
    t.ok(sky.tracks()[0]?.integrity.reasons.some(({ id }) => id === 'clock_inconsistent'));
  },
);

t.test('the captured flight is one track at its place, and nothing is held against it', options, async (t) => {
  const path = sample('remote_id/anafi4_real.derived_mavlink.jsonl');
  const capture = bytesOf(path);
  const places = framesOf(path).flatMap(({ atMs, messages }) =>
    messages.flatMap((message) => (message.type === 'location' ? [{ ...message, atMs }] : [])),
  );
  const sky = await DrivenSky.open(t, (capture[0]?.atMs ?? 0) - 1_000);
  const offM: number[] = [];
  let at = 0;
  await sky.pass(capture.at(-1)?.atMs ?? 0, capture, () => {
    while ((places[at + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= sky.nowMs) at++;
    const [track] = sky.tracks();
    const place = places[at];
    if (!track?.position || !place || place.latDeg === null || place.lonDeg === null) return;
    t.equal(track.integrity.verdict, 'unchecked');
    offM.push(metresBetween(track.position, { lat: place.latDeg, lon: place.lonDeg }));
  });
  offM.sort((a, b) => a - b);
  t.equal(sky.tracks().length, 1);
  t.comment(`median ${offM[Math.floor(offM.length / 2)]?.toFixed(2)} m off`);
  t.ok((offM[Math.floor(offM.length / 2)] ?? Number.NaN) < 1);
});
