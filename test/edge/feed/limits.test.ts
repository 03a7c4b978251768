import t from 'tap';
import { SenderLimits } from '../../../src/edge/feed/limits.ts';

t.test('one loud sender is held by its own rate and the others are not affected', async (t) => {
  const limits = new SenderLimits(10, 1000, 100, 0);
  let loud = 0;
  let quiet = 0;
  for (let ms = 0; ms < 20_000; ms += 10) {
    for (let i = 0; i < 5; i++) loud += limits.admit('loud', ms) ? 1 : 0;
    if (ms % 1000 === 0) quiet += limits.admit('quiet', ms) ? 1 : 0;
  }
  t.ok(loud <= 210 && loud >= 190, `10 a second for 20 s and a burst of ten: ${loud}`);
  t.equal(quiet, 20, 'every one of the quiet sender');
});

t.test('a flood of invented senders leaves half of the link to those already known', async (t) => {
  const limits = new SenderLimits(100, 100, 50, 0);
  for (let ms = 0; ms <= 12_000; ms += 100) limits.admit('known', ms);
  let known = 0;
  let strangers = 0;
  for (let ms = 12_100; ms < 22_100; ms += 1) {
    if (limits.admit(`fake-${ms % 40}-${Math.floor(ms / 40)}`, ms)) strangers++;
    if (ms % 100 === 0) known += limits.admit('known', ms) ? 1 : 0;
  }
  t.ok(known >= 99, `the known one is heard: ${known} of 100`);
  t.ok(strangers <= 560, `the strangers get half: ${strangers}`);
  t.ok(limits.refused > 9_000, 'and what was refused is counted');
});

t.test('a sender that comes again becomes known in the middle of a flood of names that do not', async (t) => {
  const limits = new SenderLimits(100, 1000, 100, 0);
  let admitted = 0;
  for (let ms = 0; ms < 30_000; ms++) {
    limits.admit(`fake-${ms}`, ms);
    if (ms % 250 === 0 && limits.admit('real', ms) && ms > 11_000) admitted++;
  }
  t.ok(admitted >= 75, `${admitted} of its 76 messages once it was known`);
});

t.test('a sender that was silent for a quarter of an hour is forgotten once another one becomes known', async (t) => {
  const limits = new SenderLimits(100, 100, 50, 0);
  for (let ms = 0; ms <= 12_000; ms += 100) limits.admit('gone', ms);
  const laterMs = 12_000 + 900_000;
  for (let ms = laterMs; ms <= laterMs + 12_000; ms += 100) limits.admit('newer', ms);
  const admitted = { gone: 0, newer: 0 };
  for (let ms = laterMs + 12_100; ms < laterMs + 20_100; ms += 1) {
    limits.admit(`fake-${ms}`, ms);
    if (ms % 100 !== 0) continue;
    for (const name of ['gone', 'newer'] as const) admitted[name] += limits.admit(name, ms) ? 1 : 0;
  }
  t.equal(admitted.newer, 80, 'the known one uses the whole rate of the link');
  t.ok(admitted.gone < 70, `the forgotten one shares the part of strangers: ${admitted.gone} of 80`);
});
