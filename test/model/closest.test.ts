import t from 'tap';
import { closest } from '../../src/model/closest.ts';

t.test('a suggestion is made only where it is near', async (t) => {
  t.equal(closest('retentoin', ['dir', 'retention']), 'retention');
  t.equal(closest('openRole', ['open_role', 'allowed_hosts']), 'open_role');
  t.equal(closest('trusted-networks', ['trusted_networks']), 'trusted_networks');
  t.equal(closest('bytse', ['days', 'bytes']), 'bytes');
  t.equal(closest('colour', ['listen', 'tls', 'dir']), null);
  t.equal(closest('x', ['tls']), null);
  t.equal(closest('', ['tls']), null);
  t.equal(closest('a'.repeat(100_000), ['tls']), null);
});
