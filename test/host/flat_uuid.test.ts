import t from 'tap';
import { flatUuid } from '../../src/host/flat_uuid.ts';

t.test('each id is a UUID of version 4, and no two are equal', async (t) => {
  const ids = Array.from({ length: 2_000 }, () => flatUuid());
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  t.same(
    ids.filter((id) => !form.test(id)),
    [],
  );
  t.equal(new Set(ids).size, ids.length);
});
