import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { endianness } from 'node:os';

/** Datagrams the kernel dropped on the socket bound to this address and port, by its table; 0 where it is not listed. */
export async function kernelDrops(address: string, port: number): Promise<number> {
  const table = isIPv4(address) ? '/proc/net/udp' : '/proc/net/udp6';
  const text = await readFile(table, 'utf8').catch(() => '');
  return dropsIn(text, address, port);
}

/** The last column (`drops`) of the row of an address, in the text of /proc/net/udp or /proc/net/udp6. */
export function dropsIn(table: string, address: string, port: number): number {
  const local = `${hexWords(addressBytes(address))}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  let drops = 0;
  for (const row of table.split('\n')) {
    const columns = row.trim().split(/\s+/);
    if (columns[1] === local) drops += Number(columns.at(-1)) || 0;
  }
  return drops;
}

/** The kernel prints an address as words in its own byte order. */
function hexWords(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const word = Buffer.from(bytes.subarray(at, at + 4));
    if (endianness() === 'LE') word.reverse();
    text += word.toString('hex').toUpperCase();
  }
  return text;
}

function addressBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string) => (text ? text.split(':') : []);
  const front = groups(head);
  const back = groups(tail ?? '');
  const words = [...front, ...Array(8 - front.length - back.length).fill('0'), ...back];
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
