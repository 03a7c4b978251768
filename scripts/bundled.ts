import { mkdirSync, writeFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';

/** Writes the folders of all packages whose code is in a bundle, build/bundled/NAME.json: the package lists their licences. */
export function writeBundled(name: string, metafiles: readonly Metafile[]): void {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  mkdirSync('build/bundled', { recursive: true });
  writeFileSync(`build/bundled/${name}.json`, JSON.stringify([...new Set(folders)].sort(), null, 1));
}
