import t from 'tap';
import { Packer } from '../../../src/core/thread/pack.ts';
import { OBSERVED } from '../../../src/model/rows/layouts.ts';
import { mac, positionAt } from '../../support/core/observation.ts';

t.test(
  'transmitters of past hours leave their dossiers to new ones, those of the last minutes keep them',
  async (t) => {
    const packer = new Packer(() => 0);
    const row = new Float64Array(OBSERVED.width);
    const index = (name: string, atMs: number): number => {
      packer.pack(positionAt(atMs, 0, 0, { identities: [mac(name)] }), 0, row, 0);
      return row[OBSERVED.claim] ?? -1;
    };
    const minuteMs = 60_000;
    const indexes = new Set<number>();
    for (let minute = 0; minute < 600; minute++) {
      for (let n = 0; n < 20; n++) indexes.add(index(`${minute} ${n}`, minute * minuteMs));
      t.equal(index('stays', minute * minuteMs), index('stays', minute * minuteMs + 30_000));
    }
    t.ok(indexes.size <= 20 * 16, `${indexes.size} dossiers of 12,000 transmitters`);
    const known = index('599 0', 599 * minuteMs + 40_000);
    t.equal(index('599 0', 610 * minuteMs), known, 'silent for 10 min');
    const dossier = packer.takeDossiers().find(({ index }) => index === known);
    t.match(dossier?.identities, [{ value: '599 0' }]);
  },
);
