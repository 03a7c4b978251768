import t from 'tap';
import { classesOf } from '../../../../src/edge/feed/sapient/classification.ts';
import type { DetectionReport } from '../../../../src/edge/wire/sapient/message.ts';

type Top = NonNullable<DetectionReport['classification']>[number];
type Sub = NonNullable<Top['sub_class']>[number];

const blank = { report_id: '', object_id: '' };
/** A path of classes, each the only one below the one before. */
function path(...types: string[]): Top {
  const [top = '', ...rest] = types;
  const below = rest.reduceRight<readonly Sub[]>(
    (sub_class, type) => [{ type, level: rest.indexOf(type) + 1, confidence: 0.7, sub_class }],
    [],
  );
  return { type: top, confidence: 0.9, sub_class: below };
}

t.test('the deepest class that a word matches is taken', async (t) => {
  for (const [types, type] of [
    [['Air Vehicle', 'UAV Rotary Wing', 'Quadcopter'], 'multirotor'],
    [['Air Vehicle', 'UAV Fixed Wing'], 'fixed_wing'],
    [['Air Vehicle', 'Fixed wing VTOL'], 'vtol'],
    [['Air Vehicle', 'UAV'], 'other'],
    [['Air Vehicle', 'Unmanned', 'Rotary'], 'multirotor'],
    [['Air Vehicle', 'Un-manned fixed wing'], 'fixed_wing'],
    [['Air Vehicle', 'Manned Aircraft'], 'crewed_aircraft'],
    [['Air Vehicle', 'Manned', 'Rotary Wing'], 'crewed_aircraft'],
    [['Animal', 'Bird'], 'bird'],
    [['Human'], 'person'],
    [['Land Vehicle'], 'vehicle'],
    [['Ground', 'Heavy vehicle'], 'vehicle'],
    [['Air Vehicle', 'Blue'], 'other'],
  ] as const)
    t.equal(classesOf({ ...blank, classification: [path(...types)] })[0]?.type, type, types.join(' / '));
});

t.test('a class that no word matches is none, and a sea vehicle is no drone', async (t) => {
  for (const types of [['Unknown'], ['Sea Vehicle'], ['']])
    t.same(classesOf({ ...blank, classification: [path(...types)] }), [], types.join());
});

t.test('a wide and a deep tree of classes are read up to a limit, and what comes first counts', async (t) => {
  const wide: Sub[] = Array.from({ length: 5_000 }, () => ({ type: 'x'.repeat(2_000), level: 2 }));
  const deep = Array.from({ length: 20 }, (): Top => ({ ...path('Air Vehicle', 'UAV Rotary Wing'), sub_class: wide }));
  const first = path('Air Vehicle', 'Bird');
  let read = 0;
  const counted = deep.map((top) => ({
    ...top,
    get type() {
      read++;
      return top.type;
    },
  }));
  t.match(classesOf({ ...blank, classification: [first, ...counted] }), [{ type: 'bird' }]);
  t.ok(read <= 2, `${read} reads of twenty tops: the classes below the first use the limit up`);
});

t.test('the confidence is that of the class, else of the report; its path is kept where we have no name', async (t) => {
  const classification: Top[] = [path('Air Vehicle', 'UAV'), { type: 'Bird' }];
  t.same(classesOf({ ...blank, detection_confidence: 0.4, classification }), [
    { type: 'other', confidence: 0.7, model: 'Air Vehicle / UAV' },
    { type: 'bird', confidence: 0.4 },
  ]);
});
