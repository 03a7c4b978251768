import t from 'tap';
import { SensorService } from '../../src/app/sensor_service.ts';
import { SensorStatuses } from '../../src/edge/feed/sensor_statuses.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { SensorBringer } from '../../src/registry/assets/assets.ts';
import { SensorRegistry } from '../../src/registry/sensors.ts';
import { sensorRows } from '../../src/store/sensors.ts';
import { openRegistry } from '../support/registry/registry.ts';

const payloads = [{ kind: 'camera_eo' as const, slot: 'nose' }];

/** A desk over a registry and a book, and how often the world and the core were told. */
function openService(t: { teardown(stop: () => unknown): unknown }) {
  const rig = openRegistry(t);
  const told = { changed: 0, removed: [] as string[][], core: 0, looked: 0 };
  const book = new SensorStatuses(Date.now, () => 0);
  book.changed.add(() => {
    told.core++;
  });
  const sensors = new SensorRegistry(
    sensorRows(rig.state),
    { workspaceId: rig.workspaceId, environment: 'live' },
    rig.ledger,
  );
  const world = {
    sensors: book,
    evaluateSensors: () => {
      told.changed++;
    },
    removeSensors: (...ids: string[]) => void told.removed.push(ids),
    flush: () => {},
  };
  const service = new SensorService({ registry: sensors, world, nowMs: () => 0, utcMs: Date.now, receivers: null });
  const { assets, catalog } = rig.registry;
  const counted = function* (of: Iterable<SensorBringer>) {
    for (const asset of of) {
      told.looked++;
      yield asset;
    }
  };
  const unsubscribe = assets.changed.add((changed) => service.declareOf(counted(changed)));
  catalog.changed.add((names) => service.declareOf(counted(assets.bringers(names))));
  const forget = (): void => void Object.assign(told, { changed: 0, removed: [], core: 0, looked: 0 });
  return { ...rig, service, told, forget, book, unsubscribe };
}

const namesOf = (book: SensorStatuses): string[] => book.rows().map(({ name }) => name);

t.test('sensors that many assets bring are told as one change, and what changes nothing is not told', async (t) => {
  const { registry, told, forget, book } = openService(t);
  const rows = Array.from({ length: 40 }, (_, n) => ({ name: `Heron ${n}`, model: 'Eye' }));
  registry.catalog.create({ name: 'Eye', kind: 'platform', spec: { payloads } }, systemActor);
  forget();
  const values = rows.map((value, at) => ({ row: at + 1, value }));
  t.match(await registry.assetImport.run(values, systemActor, false), { created: 40 });
  t.equal(namesOf(book).length, 40);
  t.match(told, { changed: 1, core: 1, removed: [] });
  forget();
  const [first] = registry.assets.list();
  registry.assets.update(first?.id ?? '', { spec: { model: 'Eye', notes: 'new rotors' } }, systemActor);
  t.match(told, { changed: 0, core: 0 }, 'another note is no other sensor');
});

t.test('a catalog write looks at the assets of that model alone, and takes away in one telling', async (t) => {
  const { registry, told, forget, book } = openService(t);
  const { catalog, assets } = registry;
  const eye = catalog.create({ name: 'Eye', kind: 'platform', spec: { payloads } }, systemActor);
  for (let n = 0; n < 5; n++) assets.create({ name: `Heron ${n}`, spec: { model: 'Eye' } }, systemActor);
  for (let n = 0; n < 7; n++) assets.create({ name: `Other ${n}`, spec: { payloads } }, systemActor);
  t.equal(book.rows().length, 12);
  forget();
  catalog.create({ name: 'Ear', kind: 'platform', spec: { payloads } }, systemActor);
  t.match(told, { looked: 0, changed: 0, core: 0 });
  catalog.update(eye.id, { name: 'E-Y-E', spec: {} }, systemActor);
  t.equal(told.looked, 5);
  t.match(told, { changed: 0, core: 1, removed: [{ length: 5 }] });
  t.equal(book.rows().length, 7);
});

t.test(
  'thousands of assets beyond what the box lists are not looked into, and a place that comes free is used',
  async (t) => {
    const { registry, service, book, unsubscribe } = openService(t);
    const { assets } = registry;
    unsubscribe();
    const rows = Array.from({ length: 11_000 }, (_, n) => ({ name: `Heron ${n}`, model: 'Eye' }));
    registry.catalog.create({ name: 'Eye', kind: 'platform', spec: { payloads } }, systemActor);
    const values = rows.map((value, at) => ({ row: at + 1, value }));
    await registry.assetImport.run(values, systemActor, false);
    let looked = 0;
    const counted = function* () {
      for (const asset of assets.bringers())
        yield {
          ...asset,
          sensors() {
            looked++;
            return asset.sensors();
          },
        };
    };
    service.declareOf(counted());
    t.equal(looked, 256);
    t.equal(book.rows().length, 256);
    const [taken] = book.rows();
    const waiting = assets.list().find(({ name }) => !namesOf(book).includes(`${name} nose`));
    assets.changed.add((changed) => service.declareOf(changed));
    assets.remove(taken?.assetId ?? '', systemActor);
    t.equal(book.rows().length, 255);
    assets.update(waiting?.id ?? '', { spec: { model: 'Eye', notes: 'now' } }, systemActor);
    t.ok(namesOf(book).includes(`${waiting?.name} nose`));
  },
);
