import t from 'tap';
import type { Camera } from '../../src/console/map/camera.ts';
import { type Label, placeLabels } from '../../src/console/map/labels.ts';
import { sensorNames } from '../../src/console/map/sensor_names.ts';
import type { Sensor } from '../../src/model/sensor.ts';

const site = { lat: 47.4, lon: 8.5 };
const camera: Camera = { ...site, zoom: 14, widthPx: 1_000, heightPx: 700 };
const sensor = { id: 's', name: 'finder', state: 'operational', placement: site } as Sensor;
const silent = { ...sensor, state: 'silent', last_obs_at: '2026-06-01T10:02:03.000Z' } as Sensor;

const name: Label = { id: 'name', spot: [300, 200], widthPx: 50, heightPx: 17, priority: -1, gapPx: 7, yields: true };
const track = (x: number, y: number): Label => ({
  ...{ id: `${x} ${y}`, spot: [x, y], widthPx: 60, heightPx: 32, priority: 500 },
});
const placedWith = (tracks: readonly Label[], names = [] as Parameters<typeof placeLabels>[3]) =>
  placeLabels(
    [name, ...tracks],
    tracks.map(({ spot }) => spot),
    new Map(),
    names,
  );

t.test('the name of a sensor takes a free side beside a track, whose label stays', async (t) => {
  const beside = track(335, 200);
  const alone = placedWith([]).find(({ id }) => id === 'name');
  t.equal(alone?.slot, 0, 'alone it stands to the right');
  const placed = placedWith([beside]);
  const moved = placed.find(({ id }) => id === 'name');
  t.ok(moved && moved.slot !== 0, 'below the symbol of a track it moves');
  t.equal(placed.find(({ id }) => id === beside.id)?.slot, 0, 'and the label of the track does not');
});

t.test(
  'the name of a sensor is left out in a crowd of tracks, or where the name of an area is all around',
  async (t) => {
    const crowd = Array.from({ length: 49 }, (_, index) =>
      track(225 + 25 * (index % 7), 125 + 25 * Math.trunc(index / 7)),
    );
    t.notOk(placedWith(crowd).some(({ id }) => id === 'name'));
    t.same(placedWith([], [{ left: 0, top: 0, right: 600, bottom: 400 }]), []);
  },
);

t.test('a silent sensor says so below its name, without the time where the map is narrow', async (t) => {
  const linesAt = (one: Sensor, widthPx: number) =>
    sensorNames([one], { ...camera, widthPx }, () => 41).map(({ lines }) => lines);
  t.same(linesAt(sensor, 1_000), [['finder']]);
  t.same(linesAt(silent, 1_000), [['finder', 'SILENT 41 s since 10:02:03Z']]);
  t.same(linesAt(silent, 335), [['finder', 'SILENT 41 s']]);
});

t.test('the name of a silent sensor at the edge of a narrow map is whole', async (t) => {
  const [width, height] = [335, 245];
  const edges = [
    { left: -64, top: -64, right: width + 64, bottom: 0 },
    { left: -64, top: height, right: width + 64, bottom: height + 64 },
    { left: -64, top: 0, right: 0, bottom: height },
    { left: width, top: 0, right: width + 64, bottom: height },
  ];
  for (const spot of [
    [330, 120],
    [4, 240],
    [170, 3],
  ] as const) {
    const label = { ...name, spot, widthPx: 90, heightPx: 32, yields: false };
    const [placed] = placeLabels([label], [], new Map(), [], edges);
    t.ok(placed, `it has a place at ${spot}`);
    if (!placed) continue;
    const { leftPx, topPx } = placed;
    t.ok(leftPx >= 0 && topPx >= 0 && leftPx + 90 <= width && topPx + 32 <= height, JSON.stringify(placed));
  }
});

t.test('what is not on the map has no name there', async (t) => {
  t.same(
    sensorNames([{ ...sensor, placement: null }], camera, () => null),
    [],
  );
  const far = { ...sensor, placement: { ...sensor.placement, lon: 9.5 } } as Sensor;
  t.same(
    sensorNames([far], camera, () => null),
    [],
  );
});
