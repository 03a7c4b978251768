/**
 * Runs the test files of its arguments in this process. Each is loaded before the first test begins: the runner ends once it
 * has nothing to do.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);
// The runner names the folders of its fixtures after the script; each batch has its own.
process.argv.splice(1, process.argv.length - 1, resolve(files[0] ?? ''));
const { default: t } = await import('tap');
t.test('loading', async (t) => {
  for (const file of files) await import(pathToFileURL(resolve(file)).href);
  t.pass(`${files.length} files`);
});
