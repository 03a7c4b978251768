import t from 'tap';
import { AuthAssembly, type OdidAuthData } from '../../../../src/edge/wire/odid/auth_assembly.ts';
import type { OdidAuth } from '../../../../src/edge/wire/odid/message.ts';

const time = 1_776_300_805;

/** The pages that carry `length` counted bytes, then an error-correction length and bytes where there are any. */
function pagesOf(length: number, { extra = 0, timestampUnixS = time, authType = 1, salt = 0 } = {}): OdidAuth[] {
  const tail = extra > 0 ? [extra, ...Array.from({ length: extra }, (_, i) => 200 - i)] : [];
  const all = Uint8Array.from([...Array.from({ length }, (_, i) => (i + salt) & 0xff), ...tail]);
  const lastPage = Math.max(0, Math.ceil((all.length - 17) / 23));
  const pages: OdidAuth[] = [];
  for (let page = 0; page <= lastPage; page++) {
    const data = new Uint8Array(page === 0 ? 17 : 23);
    data.set(all.subarray(page === 0 ? 0 : 17 + (page - 1) * 23, 17 + page * 23));
    const first = page === 0;
    pages.push({
      type: 'auth',
      authType,
      page,
      data,
      lastPage: first ? lastPage : null,
      length: first ? length : null,
      timestampUnixS: first ? timestampUnixS : null,
    });
  }
  return pages;
}

function addAll(assembly: AuthAssembly, pages: OdidAuth[], sender = 'a', atMs = 0): OdidAuthData[] {
  return pages.flatMap((page) => assembly.add(sender, page, atMs) ?? []);
}

const counted = (length: number, salt = 0) => Uint8Array.from({ length }, (_, i) => (i + salt) & 0xff);

t.test('pages in order, in reverse and repeated give the same data, once', async (t) => {
  const pages = pagesOf(255);
  t.equal(pages.length, 12);
  const doubled = pages.flatMap((page) => [page, page]).slice(0, -1);
  for (const order of [pages, pages.toReversed(), doubled]) {
    const assembly = new AuthAssembly();
    const [whole, ...more] = addAll(assembly, order);
    t.same(whole, { authType: 1, timestampUnixS: time, data: counted(255), extra: new Uint8Array(0) });
    t.equal(more.length, 0);
    t.equal(assembly.size, 0, 'nothing is held once it is whole');
  }
});

t.test('error-correction bytes behind the data are kept apart', async (t) => {
  const [whole] = addAll(new AuthAssembly(), pagesOf(63, { extra: 22 }));
  t.same(whole?.data, counted(63));
  t.equal(whole?.extra.length, 22);
  t.equal(whole?.extra[0], 200);
});

t.test('a single page and an empty one are whole at once', async (t) => {
  t.same(addAll(new AuthAssembly(), pagesOf(17))[0]?.data, counted(17));
  t.same(addAll(new AuthAssembly(), pagesOf(0))[0]?.data, new Uint8Array(0));
});

t.test('senders and types do not mix', async (t) => {
  const assembly = new AuthAssembly();
  const [a0, a1] = pagesOf(40) as [OdidAuth, OdidAuth];
  const [b0, b1] = pagesOf(40, { salt: 100 }) as [OdidAuth, OdidAuth];
  const [, c1] = pagesOf(40, { authType: 2 }) as [OdidAuth, OdidAuth];
  t.equal(assembly.add('a', a0, 0), null);
  t.equal(assembly.add('b', b1, 0), null);
  t.equal(assembly.add('a', c1, 0), null, 'another type completes nothing');
  t.same(assembly.add('b', b0, 0)?.data, counted(40, 100));
  t.same(assembly.add('a', a1, 0)?.data, counted(40));
});

t.test('a first page with a new time discards the pages of the former set', async (t) => {
  const assembly = new AuthAssembly();
  const old = pagesOf(63);
  const fresh = pagesOf(63, { timestampUnixS: time + 1, salt: 9 });
  addAll(assembly, old.slice(0, 2));
  const [whole] = addAll(assembly, [...fresh.slice(0, 1), ...fresh.slice(2), ...fresh.slice(1, 2)]);
  t.same(whole?.data, counted(63, 9));
  t.equal(whole?.timestampUnixS, time + 1);
});

t.test('pages that waited too long are not joined to later ones', async (t) => {
  const assembly = new AuthAssembly({ maxAgeMs: 1000 });
  const [first, second] = pagesOf(40) as [OdidAuth, OdidAuth];
  assembly.add('a', first, 0);
  t.equal(assembly.add('a', second, 1001), null);
});

t.test('a length beyond what the pages hold never gives data', async (t) => {
  const [page] = pagesOf(17);
  t.equal(new AuthAssembly().add('a', { ...(page as OdidAuth), length: 18 }, 0), null);
});

t.test('unfinished sets are bounded, and those that give way are counted', async (t) => {
  const assembly = new AuthAssembly({ maxSets: 8 });
  const [first, second] = pagesOf(40) as [OdidAuth, OdidAuth];
  for (let i = 0; i < 100; i++) assembly.add(`sender ${i}`, first, 0);
  t.equal(assembly.size, 8);
  t.equal(assembly.evicted, 92);
  t.same(assembly.add('sender 99', second, 0)?.data, counted(40));
});
