/** A path without its mount, or null where it stands below none. */
export function belowMount(path: string): string | null {
  const found = /^\/(?:api|v1)\/(.*)$/s.exec(path);
  return found === null ? null : (found[1] ?? '');
}
