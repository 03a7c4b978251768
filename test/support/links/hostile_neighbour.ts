import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';

/**
 * A process of its own that attacks the open ports of a daemon: `node hostile_neighbour.js HTTP TCP UDP SECONDS`. It holds
 * half-open requests and slow bodies, and sends garbage, connections and datagrams as fast as they are taken. Prints what it did.
 */
const [http = 0, tcp = 0, udp = 0, seconds = 0] = process.argv.slice(2).map(Number);
const endMs = performance.now() + seconds * 1_000;
const count = { connects: 0, refused: 0, bytes: 0, datagrams: 0 };
/** A starved process goes on until it has done some harm. */
const isOver = (): boolean => {
  const lateMs = performance.now() - endMs;
  return lateMs > 60_000 || (lateMs > 0 && count.bytes > 0 && count.datagrams > 0);
};
const open = new Set<Socket>();
/** All of 127.0.0.0/8 is this machine. */
const addressOf = (n: number): string => `127.66.0.${(n % 8) + 1}`;
const garbage = Buffer.alloc(16 * 1024, 0xfe).fill('GET / HT', 0, 4_000);

/** Connects, does something, and does it again once the connection is over. */
function attack(port: number, n: number, act: (socket: Socket) => void): void {
  if (isOver()) return;
  const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(n) });
  open.add(socket);
  count.connects++;
  socket.on('error', () => count.refused++);
  socket.on('connect', () => act(socket));
  socket.on('data', () => {});
  socket.on('close', () => {
    open.delete(socket);
    setImmediate(attack, port, n, act);
  });
}

const leave = (socket: Socket): void => void socket.resetAndDestroy();
const halfOpen = (socket: Socket): void => void socket.write('GET /api/tracks HTTP/1.1\r\nHost: localhost\r\n');
const slowBody = (socket: Socket): void => {
  const head = 'POST /api/ingest/obs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Content-Length: 4000000\r\n\r\n{"obs":[`);
};
const pour = (socket: Socket): void => {
  // One block a turn: this process has the other attacks to make as well.
  const more = (): void => {
    if (socket.destroyed || isOver()) return;
    count.bytes += garbage.length;
    socket.write(garbage, () => setImmediate(more));
  };
  more();
};

function datagrams(): void {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  const send = (): void => {
    if (isOver()) return void socket.close();
    for (let n = 0; n < 64; n++, count.datagrams++) socket.send(garbage.subarray(0, 1_200), udp, '127.0.0.1');
    setImmediate(send);
  };
  socket.bind(0, addressOf(0), send);
}

for (let n = 0; n < 200; n++) attack(http, n, n % 2 === 0 ? halfOpen : slowBody);
for (let n = 0; n < 20; n++) attack(http, n, n % 4 === 0 ? pour : leave);
for (let n = 0; n < 80; n++) attack(tcp, n, pour);
for (let n = 0; n < 8; n++) attack(tcp, n, leave);
datagrams();
const ending = setInterval(() => {
  if (!isOver()) return;
  clearInterval(ending);
  console.log(JSON.stringify(count));
  for (const socket of open) socket.destroy();
}, 50);
