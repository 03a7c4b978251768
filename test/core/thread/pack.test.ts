import t from 'tap';
import { Packer } from '../../../src/core/thread/pack.ts';
import type { ObservationUse } from '../../../src/model/observation.ts';
import { OBSERVED } from '../../../src/model/rows/layouts.ts';
import { mac, positionAt } from '../../support/core/observation.ts';

const MINUTE_MS = 60_000;

/** A packer of which each call of `index` is a report, and each call of `batch` ends a batch. */
function packing() {
  const packer = new Packer(() => 0);
  const row = new Float64Array(OBSERVED.width);
  return {
    index(name: string, minute: number, use: ObservationUse = 'measure'): number {
      packer.pack(positionAt(minute * MINUTE_MS, 0, 0, { identities: [mac(name)], use }), 0, row, 0);
      return row[OBSERVED.claim] ?? -1;
    },
    batch: () => packer.takeDossiers(),
  };
}

t.test(
  'transmitters of past hours leave their dossiers to new ones, those of the last minutes keep them',
  async (t) => {
    const { index, batch } = packing();
    const indexes = new Set<number>();
    const stays = index('stays', 0);
    const repeats = index('repeats', 0);
    for (let minute = 0; minute < 600; minute++) {
      for (let n = 0; n < 20; n++) indexes.add(index(`${minute} ${n}`, minute));
      if (index('stays', minute) !== stays) t.fail(`a transmitter that reports lost its dossier in minute ${minute}`);
      if (index('repeats', minute, 'repeat') !== repeats)
        t.fail(`one that repeats lost its dossier in minute ${minute}`);
      batch();
    }
    t.ok(indexes.size <= 20 * 17, `${indexes.size} dossiers of 12,000 transmitters`);
    const known = index('599 0', 599.5);
    for (let n = 0; n < 1_000; n++) index(`later ${n}`, 609);
    t.equal(index('599 0', 609.4), known, 'silent for 10 min');
    batch();
    for (let n = 0; n < 2_000; n++) index(`latest ${n}`, 625);
    t.not(index('599 0', 625), known, 'silent for longer');
  },
);

t.test('a dossier that a batch uses is not given to another transmitter of that batch', async (t) => {
  const { index, batch } = packing();
  const [one, other] = [index('one', 0), index('other', 0)];
  t.equal(index('one', 16), one);
  t.equal(index('new', 32), 2, 'the batch refers to both');
  t.same(
    batch().map(({ index }) => index),
    [one, other, 2],
  );
  t.equal(index('newer', 32), other, 'the longest silent one makes room in the next batch');
});
