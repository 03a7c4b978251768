import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Target } from './target.ts';

/** One datagram a frame. The host's name is looked up once; nobody listening there is no fault, as in the field. */
export async function openUdpTarget(to: { host: string; port: number; text: string }): Promise<Target> {
  const found = await lookup(to.host).catch((thrown) => {
    throw new Fault('unavailable', `cannot find the host of ${to.text}: ${sentenceOf(thrown)}`, { cause: thrown });
  });
  const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4');
  let broken: Fault | null = null;
  socket.on('error', (thrown) => {
    broken ??= new Fault('unavailable', `cannot send to ${to.text}: ${thrown.message}`, { cause: thrown });
  });
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        socket.send(bytes, to.port, found.address, (thrown) => {
          if (thrown === null) resolve();
          else reject(new Fault('unavailable', `cannot send ${bytes.length} bytes to ${to.text}: ${thrown.message}`));
        });
      }),
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}
