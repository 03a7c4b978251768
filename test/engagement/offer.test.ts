import fc from 'fast-check';
import t from 'tap';
import { levelsWithOffers, offered, rowFor } from '../../src/engagement/offer.ts';
import type { DoctrineBody } from '../../src/model/doctrine.ts';
import { threatLevels } from '../../src/model/posture.ts';
import { affiliations } from '../../src/model/track.ts';
import { seedOf } from '../support/basics/seed.ts';

const offers = [[], ['none'], ['observe'], ['escort', 'none']] as const;
const row = fc.record({
  level: fc.constantFrom(...threatLevels),
  affiliation: fc.constantFrom('any' as const, ...affiliations),
  offer: fc.constantFrom(...offers).map((all) => [...all]),
  automatic: fc.constant([]),
  approvals: fc.constant(1),
});

t.test('no level is left out at which the doctrine offers a response for some affiliation', async (t) => {
  const seed = seedOf(t);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (matrix) => {
      const doctrine = { postures: [{ id: 'normal', matrix }] } as unknown as DoctrineBody;
      const levels = levelsWithOffers(doctrine, 'normal');
      return threatLevels.every((level) => {
        const isOffered = affiliations.some((one) => offered(rowFor(doctrine, 'normal', level, one)).length > 0);
        return levels.has(level) || !isOffered;
      });
    }),
    { seed },
  );
  t.same(levelsWithOffers({ postures: [] } as unknown as DoctrineBody, 'normal'), new Set());
});
