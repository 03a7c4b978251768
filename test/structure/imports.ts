import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** An import of one file by another; paths are relative to the root that was read. */
export type Import = { from: string; to: string };

const statement = /(?:^|\n)(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'(\.{1,2}\/[^']+)'|import\('(\.{1,2}\/[^']+)'\)/g;

/** Files below `root` that end in `.ts`, `.tsx` or `.js`, relative to `root`. */
export function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(tsx?|js)$/.test(path));
}

/** Relative imports of all files below `root`, types included. */
export function importsBelow(root: string): Import[] {
  return sourceFiles(root).flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    return [...text.matchAll(statement)].map(([, plain, dynamic]) => ({
      from,
      to: relative(root, join(root, dirname(from), plain ?? dynamic ?? '')),
    }));
  });
}
