import { createSocket, type Socket } from 'node:dgram';
import { Aircraft, MavlinkReceiver } from '../../test/support/sky/aircraft.ts';

/** Datagrams in one turn of the loop at most: what was not sent in time is not sent in a burst. */
const burst = 200;

/**
 * A process of its own that floods a link: `node flood_sender.js PORT ADDRESSES PER_S SECONDS`. Each address is a receiver
 * that nobody knows, with an aircraft of its own. Prints how many datagrams left.
 */
async function main(): Promise<void> {
  const [port = 0, addresses = 0, perS = 0, seconds = 0] = process.argv.slice(2).map(Number);
  const sockets = await Promise.all(Array.from({ length: addresses }, (_, n) => boundTo(addressOf(n), port)));
  const frames = sockets.map((_, n) => frameOf(n));
  const beganMs = performance.now();
  let sent = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedS = (performance.now() - beganMs) / 1_000;
      const due = Math.min(Math.floor(elapsedS * perS), sent + burst);
      for (; sent < due; sent++) sockets[sent % addresses]?.send(frames[sent % addresses] ?? '');
      if (elapsedS < seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  console.log(sent);
  for (const socket of sockets) socket.close();
}

/** Loopback addresses: all of 127.0.0.0/8 is this machine. */
function addressOf(n: number): string {
  return `127.1.${n >> 8}.${n & 0xff || 1}`;
}

function boundTo(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.bind({ address, port: 0 }, () => socket.connect(port, '127.0.0.1', () => resolve(socket)));
  });
}

function frameOf(n: number): Buffer {
  const receiver = new MavlinkReceiver((n % 250) + 1, 20 + Math.floor(n / 250));
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
  const aircraft = new Aircraft({
    mac: `66:66:66:01:${hex(n >> 8)}:${hex(n & 0xff)}`,
    serial: `1581FLOOD${String(n).padStart(8, '0')}`,
    from: { lat: 47 + (n % 100) / 1_000, lon: 8 + Math.floor(n / 100) / 1_000 },
  });
  return receiver.pack(aircraft, [aircraft.basicId(), aircraft.location(0)]);
}

await main();
