import t from 'tap';
import { encodeFrame } from '../../src/edge/wire/mavlink/encode.ts';
import { signingTimestamp } from '../../src/edge/wire/mavlink/signing_clock.ts';
import { writeHeartbeat } from '../../src/edge/wire/mavlink/write.ts';
import { Fault } from '../../src/model/fault.ts';
import type { LinkSigningRow } from '../../src/store/link_signing.ts';
import { KeyMap } from '../../src/world/signing/key_map.ts';
import type { LinkSigning } from '../../src/world/signing/link_signing.ts';

const key = Buffer.alloc(32, 3);
const noonMs = Date.parse('2026-03-01T12:00:00Z');
const S = 100_000;
const beat = writeHeartbeat({
  ...{ type: 2, autopilot: 3, baseMode: 81, customMode: 0, systemStatus: 3, mavlinkVersion: 3 },
});

/** A disk that outlives the runs on it, and a wall clock that tests set. */
class Box {
  wallMs = noonMs;
  row: LinkSigningRow | null = null;
  saves = 0;
  isFull = false;
  readonly troubles: string[] = [];

  /** A run that ends as the test lets it. */
  run(): { book: KeyMap; signing: LinkSigning } {
    const book = new KeyMap({
      utcNowMs: () => this.wallMs,
      own: { sysid: 245, compid: 190 },
      trouble: (sentence) => this.troubles.push(sentence),
      store: {
        read: () => ({ row: this.row, key: this.row && key, trouble: null }),
        save: ([row]) => {
          if (this.isFull) throw new Fault('unavailable', 'the disk is full');
          this.saves++;
          this.row = row ?? null;
        },
      },
    });
    const signing = book.of('link');
    if (this.row === null) {
      this.row = signing.rowWith(key, 1);
      signing.rekey(key, this.row);
    }
    return { book, signing };
  }
}

/** The timestamp of the next frame, as it may leave. */
function sign({ book, signing }: { book: KeyMap; signing: LinkSigning }): number {
  const timestamp = signing.signer?.clock.next() ?? 0;
  book.beforeSending(signing);
  return timestamp;
}

function hear({ gate }: LinkSigning, timestamp: number, sysid = 7, compid = 1, linkId = 3): boolean {
  const frame = encodeFrame({ sysid, compid, seq: 0, ...beat, sign: { key, linkId, timestamp } });
  return gate?.admit(frame, 0, frame.length, sysid, compid) ?? false;
}

t.test('killed at any moment, with the wall clock wherever, the next run signs later', async (t) => {
  const box = new Box();
  let last = 0;
  for (const wallMs of [noonMs, noonMs + 86_400_000, noonMs - 3_600_000, 0, 0, noonMs + 5_000]) {
    const run = box.run();
    for (let second = 0; second < 45; second++) {
      box.wallMs = wallMs + second * 1_000;
      for (let frame = 0; frame < 3; frame++) {
        const timestamp = sign(run);
        if (timestamp <= last) t.fail(`${timestamp} is not later than ${last}`);
        last = timestamp;
        if ((box.row?.last ?? 0) < timestamp) t.fail('what left was not on the disk');
      }
    }
  }
  t.ok(box.saves < 40, `${box.saves} writes in 270 s`);
});

t.test('a box that is killed again and again does not run ahead of time', async (t) => {
  const box = new Box();
  let last = 0;
  for (let kill = 0; kill < 200; kill++) {
    const run = box.run();
    box.wallMs += 5_000;
    last = sign(run);
    hear(run.signing, signingTimestamp(box.wallMs) + kill);
    run.book.tick();
  }
  t.ok(last - signingTimestamp(box.wallMs) <= 30 * S, `${(last - signingTimestamp(box.wallMs)) / S} s ahead`);
});

t.test('a signer that is silent for many runs is taken when it speaks again', async (t) => {
  const box = new Box();
  const first = box.run();
  const heard = signingTimestamp(noonMs);
  t.ok(hear(first.signing, heard));
  first.book.tick();
  for (let kill = 0; kill < 20; kill++) {
    const run = box.run();
    sign(run);
    run.book.tick();
    t.notOk(hear(run.signing, heard), 'the replay is refused by each');
  }
  box.wallMs += 25_000;
  t.ok(hear(box.run().signing, heard + 25 * S));
});

t.test('a vehicle whose clock was led astray shuts out no other, also after a restart', async (t) => {
  const box = new Box();
  const run = box.run();
  t.ok(hear(run.signing, signingTimestamp(noonMs) + 10 ** 12));
  run.book.stop();
  const next = box.run();
  t.ok(hear(next.signing, signingTimestamp(noonMs), 8));
  t.ok(sign(next) > signingTimestamp(noonMs) + 10 ** 12, 'while we sign so that it takes it');
});

t.test('a wall clock that was lost over a restart lets no old frames in', async (t) => {
  const box = new Box();
  const run = box.run();
  sign(run);
  run.book.tick();
  box.wallMs = 0;
  const next = box.run();
  t.notOk(hear(next.signing, signingTimestamp(noonMs) - 61 * S, 9), 'of one that was never heard');
  t.ok(hear(next.signing, signingTimestamp(noonMs) + S, 9));
});

t.test('our own frames, thrown back at us, are nobody’s', async (t) => {
  const run = new Box().run();
  const sent = sign(run);
  t.notOk(hear(run.signing, sent, 245, 190, 1));
  t.ok(hear(run.signing, sent + S, 245, 190, 1), 'another station with our name is heard, and can be told of');
});

t.test('a key that is taken away signs nothing; set again it has its number still', async (t) => {
  const box = new Box();
  const { signing } = box.run();
  const number = signing.signer?.linkId;
  t.ok(hear(signing, signingTimestamp(noonMs)));
  signing.rekey(key, signing.rowWith(key, 1));
  t.notOk(hear(signing, signingTimestamp(noonMs)), 'the same key again forgets nobody');
  signing.rekey(null, signing.rowWith(null, 1));
  t.same([signing.gate, signing.signer], [null, null]);
  signing.rekey(key, signing.rowWith(key, 1));
  t.equal(signing.signer?.linkId, number);
});

t.test('a disk that refuses holds nothing up, and is told of once', async (t) => {
  const box = new Box();
  const run = box.run();
  box.isFull = true;
  box.wallMs += 60_000;
  t.ok(sign(run) > 0);
  box.wallMs += 60_000;
  sign(run);
  t.same(box.troubles, ['the disk is full']);
  box.isFull = false;
  sign(run);
  t.ok(run.signing.isCovered);
});
