import { session } from '../state/session.ts';
import { calls } from './calls.ts';

/**
 * Makes the browser save a file from the daemon directly to the disk, so that the page does not hold it in memory. A
 * link sends no headers, so a ticket in its query replaces the credential. The open surface uses tickets too, for one
 * code path.
 */
export async function saveFile(path: string): Promise<void> {
  const { ticket } = await calls.fileTicket(path);
  const mount = session.peek().token === null ? '/api' : '/v1';
  const link = document.createElement('a');
  link.href = `${mount}/${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`;
  link.download = '';
  link.click();
}
