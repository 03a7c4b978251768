/** Returns the part of a path below `/api/` or `/v1/`; null for any other path. */
export function belowMount(path: string): string | null {
  const found = /^\/(?:api|v1)\/(.*)$/s.exec(path);
  return found === null ? null : (found[1] ?? '');
}
