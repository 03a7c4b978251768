import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { PASSWORD } from '../support/http/person.ts';

takeTime(t, 300);

const run = promisify(execFile);
const folder = 'build/generated_client';
const generator = 'test/client_generator/node_modules/openapi-typescript/bin/cli.js';
const strict = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
};
const compilerOptions = { ...strict, allowImportingTsExtensions: true, skipLibCheck: true, types: ['node'] };

type Story = { kinds: string[]; ticks: number; affiliation: string; state: string; refused: string };

t.test(
  'a client generated from the document signs in, follows the stream, confirms a friend and acknowledges',
  async (t) => {
    const daemon = await startDaemon(t);
    // The daemon closes a connection that is kept open during the compilation.
    const document = await fetch(`${daemon.url}/api/openapi.json`, { headers: { connection: 'close' } });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, JSON.stringify({ type: 'module' }));
    writeFileSync(`${folder}/openapi.json`, await document.text());
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['client.ts'] }));
    cpSync('test/fixtures/generated_client.ts.txt', `${folder}/client.ts`);
    await run(process.execPath, [
      generator,
      `${folder}/openapi.json`,
      '--default-non-nullable=false',
      '--output',
      `${folder}/dunlin.ts`,
    ]);
    const checked = await run('node_modules/.bin/tsc', ['-p', folder]).catch((failed) => failed);
    t.equal(checked.stdout, '', 'its types hold');
    await build({
      entryPoints: [`${folder}/client.ts`],
      ...{ bundle: true, platform: 'node', format: 'esm', outfile: `${folder}/client.js`, logLevel: 'error' },
    });
    const { live } = (await import(pathToFileURL(`${folder}/client.js`).href)) as {
      live(url: string, username: string, password: string): Promise<Story>;
    };
    await firstOwner(t, daemon);
    const story = await live(daemon.url, 'anna', PASSWORD);
    t.equal(story.kinds[0], 'snapshot');
    for (const kind of ['sensor_update', 'zone_update', 'assignment_update', 'track_new', 'alert', 'tick'])
      t.ok(story.kinds.includes(kind), `${kind} among ${[...new Set(story.kinds)]}`);
    t.match(story, { affiliation: 'friend', state: 'acknowledged', refused: 'name' });
  },
);
