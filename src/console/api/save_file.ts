import { session } from '../state/session.ts';
import { calls } from './calls.ts';

/**
 * Lets the browser save a file of the box. It goes from the box to the disk: the page never holds it in memory. A link sends
 * no header, so a ticket stands in its query; the open surface has tickets too, which keep one way for both.
 */
export async function saveFile(path: string): Promise<void> {
  const { ticket } = await calls.fileTicket(path);
  const mount = session.peek().token === null ? '/api' : '/v1';
  const link = document.createElement('a');
  link.href = `${mount}/${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`;
  link.download = '';
  link.click();
}
