import { fileURLToPath } from 'node:url';

/** A path in the tree, from the compiled tests under build/test/host/. */
export function inTree(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
