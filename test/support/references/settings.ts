import { readFileSync } from 'node:fs';

const list = new URL('../../../../native/tracker/settings.h', import.meta.url);

/** What the tracker goes by, as its list of settings gives it. */
export function trackerSettings(): (name: string) => number {
  const found = new Map(
    [...readFileSync(list, 'utf8').matchAll(/X\((\w+), ([-+.\de]+)\)/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
  return (name) => {
    const value = found.get(name);
    if (value === undefined) throw new Error(`No setting of the tracker is called ${name}.`);
    return value;
  };
}
