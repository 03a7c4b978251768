import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import { openRegistry } from '../support/registry/registry.ts';

t.test('nothing is carried by what it carries itself, through however many others', async (t) => {
  const { assets } = openRegistry(t).registry;
  const [a, b, c] = ['a', 'b', 'c'].map((name) => assets.create({ name, spec: {} }, systemActor).id) as [
    string,
    string,
    string,
  ];
  const carry = (id: string, carried_by: string) =>
    assets.update(id, { spec: {}, placement: { carried_by } }, systemActor);
  carry(a, b);
  t.throws(() => carry(b, a), { code: 'conflict', message: /b cannot be carried by a, because b already carries a/ });
  carry(b, c);
  t.throws(() => carry(c, a), { code: 'conflict' });
  t.throws(() => carry(c, c), { code: 'conflict', message: /itself/ });
  t.equal(assets.get(c).placement, null);
  assets.update(a, { spec: {}, placement: {} }, systemActor);
  t.doesNotThrow(() => carry(c, a));
});

t.test('what carries others stays, and says whom it carries, until it carries none', async (t) => {
  const { assets } = openRegistry(t).registry;
  const mast = assets.create({ name: 'mast', spec: {} }, systemActor).id;
  const carried = Array.from({ length: 7 }, (_, i) => assets.create({ name: `radar ${i}`, spec: {} }, systemActor).id);
  for (const id of carried) assets.update(id, { spec: {}, placement: { carried_by: mast } }, systemActor);
  t.throws(() => assets.remove(mast, systemActor), {
    code: 'conflict',
    message: /the asset mast carries radar 0, radar 1, .* and 2 more/,
  });
  t.equal(assets.list().length, 8);
  for (const id of carried.slice(1)) assets.remove(id, systemActor);
  assets.update(carried[0] ?? '', { spec: {}, placement: {} }, systemActor);
  assets.remove(mast, systemActor);
  t.equal(assets.list().length, 1);
});
