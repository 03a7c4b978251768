/** Returns a path without its mount; null if it is below no mount. */
export function belowMount(path: string): string | null {
  const found = /^\/(?:api|v1)\/(.*)$/s.exec(path);
  return found === null ? null : (found[1] ?? '');
}
