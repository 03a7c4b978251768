import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Arch, archs } from './arch.ts';

/** Node.js that the package brings, with its C++ headers. */
export type Runtime = { folder: string; version: string };

type Pinned = { version: string; integrity: Record<string, string> };

/**
 * Node.js for one architecture, as the registry has it. package.json names version and checksum; an archive of another
 * checksum ends the build.
 */
export function fetchRuntime(arch: Arch, folder: string): Runtime {
  const { version, integrity } = pinned();
  const name = `node-linux-${archs[arch].node}`;
  const target = resolve(folder, version);
  if (existsSync(target)) return { folder: target, version };
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`], {
    encoding: 'utf8',
  });
  const archive = join(folder, packed.trim());
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (sum !== integrity[name]) throw new Error(`${name} ${version} has another checksum than package.json: ${sum}`);
  const partial = `${target}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', partial, '--strip-components=1']);
  renameSync(partial, target);
  rmSync(archive);
  return { folder: target, version };
}

function pinned(): Pinned {
  const { shippedNode } = JSON.parse(readFileSync('package.json', 'utf8')) as { shippedNode: Pinned };
  return shippedNode;
}
