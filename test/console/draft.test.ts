import t from 'tap';
import {
  addPoint,
  changeDraft,
  draft,
  dragPoint,
  editZone,
  geometryOf,
  isEditable,
  newZone,
  removePoint,
  undo,
} from '../../src/console/state/draft.ts';
import type { Geometry } from '../../src/model/geometry.ts';
import { type Zone, zoneSchema } from '../../src/model/zone.ts';

const zoneOf = (geometry: Geometry): Zone =>
  zoneSchema.parse({
    ...{ id: '7b0e1f7e-3d1a-4d6e-9c55-000000000001', name: 'Depot', kind: 'protected', geometry },
    ...{ version: 1, created_at: '2026-06-01T10:00:00.000Z', updated_at: '2026-06-01T10:00:00.000Z' },
  });

t.test('a zone is the same after it was opened and not changed', async (t) => {
  for (const geometry of [
    { type: 'Point', coordinates: [4, 52], radius_m: 300 },
    {
      type: 'Polygon',
      coordinates: [
        [
          [4, 52],
          [4.1, 52],
          [4, 52.1],
          [4, 52],
        ],
      ],
    },
    {
      type: 'LineString',
      coordinates: [
        [4, 52],
        [4.1, 52],
      ],
      width_m: 80,
    },
    {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [4, 52],
            [4.1, 52],
            [4, 52.1],
            [4, 52],
          ],
        ],
      ],
    },
  ] satisfies Geometry[]) {
    editZone(zoneOf(geometry));
    t.same(draft.value && geometryOf(draft.value), geometry, geometry.type);
  }
});

t.test('a geometry with holes or several parts is kept, never cut to its first ring', async (t) => {
  const ring: [number, number][] = [
    [4, 52],
    [4.1, 52],
    [4, 52.1],
    [4, 52],
  ];
  t.notOk(isEditable({ type: 'Polygon', coordinates: [ring, ring] }));
  t.notOk(isEditable({ type: 'MultiPolygon', coordinates: [[ring]] }));
});

t.test('a draft has no geometry before it has its points and its size; each step can be undone', async (t) => {
  newZone();
  const now = () => draft.value && geometryOf(draft.value);
  t.equal(now(), null);
  changeDraft({ shape: 'polygon' });
  addPoint([4, 52]);
  addPoint([4.1, 52]);
  t.equal(now(), null, 'two points are no polygon');
  addPoint([4, 52.1]);
  t.match(now(), {
    type: 'Polygon',
    coordinates: [
      [
        [4, 52],
        [4.1, 52],
        [4, 52.1],
        [4, 52],
      ],
    ],
  });
  removePoint(0);
  t.equal(now(), null);
  undo();
  t.match(now(), { type: 'Polygon' });
  changeDraft({ shape: 'corridor', sizeM: 0 });
  t.equal(now(), null, 'a corridor has a width');
});

t.test('a drag is undone whole, however many places it went over', async (t) => {
  newZone();
  changeDraft({ shape: 'polygon' });
  for (const point of [
    [8, 47],
    [8.1, 47],
    [8.1, 47.1],
  ] as const)
    addPoint([...point]);
  const before = draft.peek();
  const drag = dragPoint(1);
  for (let step = 1; step <= 50; step++) drag([8.1 + step / 1_000, 47]);
  t.same(draft.peek()?.points[1], [8.15, 47]);
  undo();
  t.same(draft.peek(), before);
});
