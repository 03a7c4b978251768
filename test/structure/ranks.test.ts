import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Import, importsBelow } from './imports.ts';
import { type Room, rooms } from './ranks.ts';

const roomOf = (path: string): Room | undefined =>
  rooms.find(({ room }) => path === room || path.startsWith(`${room}/`));

/** The folder of a file inside its room; `.` for the room's own files. */
function folderOf(path: string, { room }: Room): string {
  const inside = path.slice(room.length + 1).split('/');
  return inside.length > 1 ? (inside[0] ?? '.') : '.';
}

function isAllowed({ from, to }: Import): boolean {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (!room || !target) return false;
  if (room === target) {
    if (!room.folders) return true;
    const [own, other] = [room.folders.indexOf(folderOf(from, room)), room.folders.indexOf(folderOf(to, room))];
    return own >= other && own >= 0 && other >= 0;
  }
  if (target.room === 'model') return true;
  return room.may === 'below' ? target.rank < room.rank : room.may.includes(target.room);
}

/** Circles of imports, each as its files; Tarjan's strongly connected components (SIAM J. Comput. 1, 1972). */
function circlesOf(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const [index, low, stack, circles] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][],
  ];
  const visit = (file: string): void => {
    const order = index.size;
    index.set(file, order);
    low.set(file, order);
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== order) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return circles;
}

t.test('every import goes down the table of ranks', async (t) => {
  const imports = importsBelow('src');
  t.ok(imports.length > 2000, 'the imports were found');
  t.same(
    imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

t.test('the table refuses an import upwards, in a room and between rooms', async (t) => {
  t.notOk(isAllowed({ from: 'geo/enu.ts', to: 'host/clock.ts' }));
  t.notOk(isAllowed({ from: 'world/world.ts', to: 'http/app.ts' }));
  t.notOk(isAllowed({ from: 'core/threat/threat_scorer.ts', to: 'core/assess/assessor.ts' }));
  t.notOk(isAllowed({ from: 'nowhere/at_all.ts', to: 'model/track.ts' }));
  t.ok(isAllowed({ from: 'core/assess/assessor.ts', to: 'core/threat/threat_scorer.ts' }));
});

t.test('no circle of values: compiled code imports values alone', async (t) => {
  const compiled = importsBelow('build/src').filter(({ from }) => existsSync(join('src', from.replace(/js$/, 'ts'))));
  t.ok(compiled.length > 1000, 'the imports were found');
  t.same(circlesOf(compiled), []);
  t.same(
    circlesOf([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ]).length,
    1,
    'a circle would be found',
  );
});
