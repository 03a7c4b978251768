import t from 'tap';
import { dropsIn } from '../../../src/edge/link/udp.ts';

const head =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops';

t.test('drops are read from the row of the socket, in both tables', async (t) => {
  const udp = `${head}
  3521: 0100007F:DB73 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 13995 2 0000000058f7c762 42
  3522: 00000000:38D6 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 13996 2 0000000058f7c763 7
`;
  t.equal(dropsIn(udp, '127.0.0.1', 0xdb73), 42);
  t.equal(dropsIn(udp, '0.0.0.0', 14550), 7);
  t.equal(dropsIn(udp, '127.0.0.2', 0xdb73), 0);
  const udp6 = `${head}
  3523: 00000000000000000000000001000000:38D6 00000000000000000000000000000000:0000 07 0:0 00:0 0 0 0 1 2 3 5
  3524: B80D0120000000000000000001000000:0001 00000000000000000000000000000000:0000 07 0:0 00:0 0 0 0 1 2 3 6
`;
  t.equal(dropsIn(udp6, '::1', 14550), 5);
  t.equal(dropsIn(udp6, '2001:db8::1', 1), 6);
});

t.test('a table that is missing or says nothing means no drops', async (t) => {
  t.equal(dropsIn('', '127.0.0.1', 1), 0);
  t.equal(dropsIn(head, '127.0.0.1', 1), 0);
});
