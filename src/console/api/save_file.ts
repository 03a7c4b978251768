import { session } from '../state/session.ts';
import { calls } from './calls.ts';

/**
 * Makes the browser save a file of the box. The file goes straight to the disk: the page never holds it in memory. A
 * link sends no header, so its query carries a ticket. The open surface uses tickets too, so there is only one path.
 */
export async function saveFile(path: string): Promise<void> {
  const { ticket } = await calls.fileTicket(path);
  const mount = session.peek().token === null ? '/api' : '/v1';
  const link = document.createElement('a');
  link.href = `${mount}/${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`;
  link.download = '';
  link.click();
}
