import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';

t.test('a second taker of a port is told who has it', async (t) => {
  const claims = new Claims();
  claims.takePort('udp', '127.0.0.1', 14550, 'rid');
  t.throws(() => claims.takePort('udp', '127.0.0.1', 14550, 'other'), {
    code: 'conflict',
    message: "port 14550/udp is in use by link 'rid'",
  });
});

t.test('who is of another workspace is told that it is taken, and not by whom', async (t) => {
  const claims = new Claims();
  const release = claims.of('north').takePort('udp', '127.0.0.1', 14550, 'rid');
  const taken = { code: 'conflict', message: 'port 14550/udp is in use by another workspace of this box' };
  t.throws(() => claims.of('south').takePort('udp', '127.0.0.1', 14550, 'other'), taken);
  release();
  t.doesNotThrow(() => claims.of('south').takePort('udp', '127.0.0.1', 14550, 'other'));
});

t.test('an any-address stands in the way of every address of its port, and they in its', async (t) => {
  for (const any of ['0.0.0.0', '::']) {
    for (const [first, second] of [
      [any, '192.0.2.1'],
      ['192.0.2.1', any],
      [any, 'fd00::1'],
    ] as const) {
      const claims = new Claims();
      claims.takePort('tcp', first, 80, 'a');
      t.throws(() => claims.takePort('tcp', second, 80, 'b'), { code: 'conflict' }, `${first} then ${second}`);
    }
  }
});

t.test('other addresses, ports and protocols do not collide', async (t) => {
  const claims = new Claims();
  claims.takePort('udp', '127.0.0.1', 1, 'a');
  t.doesNotThrow(() => claims.takePort('udp', '127.0.0.2', 1, 'b'));
  t.doesNotThrow(() => claims.takePort('udp', '127.0.0.1', 2, 'b'));
  t.doesNotThrow(() => claims.takePort('tcp', '127.0.0.1', 1, 'b'));
});

t.test('what is released can be taken, and releasing twice frees nobody else', async (t) => {
  const claims = new Claims();
  const release = claims.takeDevice('/dev/ttyS0', 'a');
  t.throws(() => claims.checkDevice('/dev/ttyS0'), { message: "/dev/ttyS0 is in use by link 'a'" });
  release();
  claims.takeDevice('/dev/ttyS0', 'b');
  release();
  t.throws(() => claims.takeDevice('/dev/ttyS0', 'c'), { message: /link 'b'/ });
});

t.test('asking whether a device is free takes nothing', async (t) => {
  const claims = new Claims();
  claims.checkDevice('/dev/ttyS0');
  t.doesNotThrow(() => claims.takeDevice('/dev/ttyS0', 'a'));
});

t.test('a link of another workspace is in the way, and is not named', async (t) => {
  const box = new Claims();
  const [north, south] = [box.of('north'), box.of('south')];
  const release = north.takePort('udp', '127.0.0.1', 14550, 'secret gate');
  north.takeDevice('/dev/ttyS0', 'secret radio');
  const told = { code: 'conflict', message: 'port 14550/udp is in use by a link of another workspace of this box' };
  t.throws(() => south.takePort('udp', '0.0.0.0', 14550, 'gate'), told);
  t.throws(() => south.checkDevice('/dev/ttyS0'), {
    message: '/dev/ttyS0 is in use by a link of another workspace of this box',
  });
  t.throws(() => north.takePort('udp', '127.0.0.1', 14550, 'gate'), { message: /link 'secret gate'/ });
  release();
  t.doesNotThrow(() => south.takePort('udp', '0.0.0.0', 14550, 'gate'));
});
