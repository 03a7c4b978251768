import { createSocket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';

/** Hears one datagram while the thread of the test does nothing but wait: then the first number of what they share is 1. */
const { heard } = workerData as { heard: Int32Array };
const socket = createSocket('udp4');
socket.on('message', () => {
  Atomics.store(heard, 0, 1);
  Atomics.notify(heard, 0);
});
socket.bind(0, '127.0.0.1', () => parentPort?.postMessage(socket.address().port));
