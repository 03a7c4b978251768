import { createHash } from 'node:crypto';
import type { ZipEntry } from './zip.ts';

export type PackedFile = { path: string; bytes: number; sha256: string };

/** Measures an entry while it is read; calls `onEnd` at its end. */
export function measuring({ path, content }: ZipEntry, onEnd: (file: PackedFile) => void): ZipEntry {
  async function* read(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    onEnd({ path, bytes, sha256: hash.digest('hex') });
  }
  return { path, content: read() };
}

/** Canonical JSON for the hash: keys in order, no space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, child]) => child !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join(',')}}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
