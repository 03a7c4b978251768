import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from './owner.ts';

/** Files by their names, as text; folders as what is in them. */
export type Content = { readonly [name: string]: string | Content };

/**
 * A folder for what runs while the test does. The runner's own folder of a test is removed before teardowns run, while a daemon
 * that one of them ends still writes into it; this one goes when all that began after it has ended.
 */
export function folderOf(t: Owner, content: Content = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  fill(folder, content);
  return folder;
}

function fill(folder: string, content: Content): void {
  for (const [name, within] of Object.entries(content)) {
    const path = join(folder, name);
    if (typeof within === 'string') writeFileSync(path, within);
    else {
      mkdirSync(path);
      fill(path, within);
    }
  }
}
