/**
 * Name of a person in an audit entry. `user:anna` is a signed-in user. `open:anna (anna)` is a person on the open
 * surface who gave a name. For `open:10.0.0.7` only the address is known.
 */
export function person(by: string): string {
  const [, way, name] = /^(user|open|key):(.*)$/.exec(by) ?? [];
  if (way === undefined || name === undefined || way === 'key') return by;
  if (way === 'user') return name;
  if (/^[\da-f.:]+$/i.test(name) && /[.:]/.test(name)) return `somebody at ${name}`;
  const [, twice] = /^(.+) \(\1\)$/.exec(name) ?? [];
  return `${twice ?? name} (not signed in)`;
}
