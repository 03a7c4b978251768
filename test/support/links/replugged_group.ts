import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { GroupMembership } from '../../../src/edge/link/multicast.ts';

/**
 * Replaces an interface often, in a network namespace of its own, and prints how often the group was joined on the new
 * one. Every other time the link looks between.
 */
const group = '239.77.3.1';
const ip = (...words: string[]): void => void execFileSync('ip', words, { stdio: 'pipe' });

function plug(): void {
  ip('link', 'add', 'va', 'type', 'veth', 'peer', 'name', 'vb');
  ip('addr', 'add', '10.5.0.1/24', 'dev', 'va');
  for (const end of ['va', 'vb']) ip('link', 'set', end, 'up');
  // The kernel calls the interface running a moment later.
  while (networkInterfaces().va === undefined) ip('addr', 'show');
}

/** True where the kernel has the membership of the present interface already. */
function isJoined(socket: ReturnType<typeof createSocket>): boolean {
  try {
    socket.addMembership(group, '10.5.0.1');
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE';
  }
  return false;
}

const socket = createSocket({ type: 'udp4', reuseAddr: true });
socket.bind(0, group);
await once(socket, 'listening');
const membership = new GroupMembership(socket, group);
const replugs = Number(process.argv[2]);
let joined = 0;
for (let n = 0; n < replugs; n++) {
  plug();
  membership.refresh();
  if (isJoined(socket)) joined++;
  ip('link', 'del', 'va');
  if (n % 2 === 0) membership.refresh();
}
console.log(joined);
socket.close();
