/**
 * Runs the test files of its arguments in this process, one after the other. The tests of a file are those of one test, so
 * that what the file starts or sets at its top ends with it.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);
process.argv.splice(1, process.argv.length - 1, resolve(files[0] ?? ''));
const { default: top } = await import('tap');
const { test, teardown, beforeEach, comment } = top;
const ofTop = { test, teardown, beforeEach, comment };
const startTest = test.bind(top);
// What files share ends with the process, such as a browser.
top.context.teardown = teardown.bind(top);

for (const file of files)
  startTest(file, async (t) => {
    // A folder of a test is named as if its file ran alone: names of two files together are too long for some sockets.
    t.testdirName = resolve('.tap/fixtures', file.replaceAll('/', '-'));
    // A file knows the runner's top test alone.
    let hasTests = false;
    top.test = ((...given: Parameters<typeof t.test>) => {
      hasTests = true;
      return t.test(...given);
    }) as typeof t.test;
    top.teardown = t.teardown.bind(t);
    top.beforeEach = t.beforeEach.bind(t);
    top.comment = t.comment.bind(t);
    t.teardown(() => void Object.assign(top, ofTop));
    await import(pathToFileURL(resolve(file)).href);
    if (!hasTests) t.fail('the file has no test');
  });
