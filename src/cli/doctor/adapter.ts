import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const adapter = z.object({
  can_monitor: z.boolean(),
  /** Regulatory domain, `00` without a country. */
  country: z.string(),
  enabled_mhz: z.array(z.number()),
  disabled_mhz: z.array(z.number()),
});

/** Capabilities of a Wi-Fi adapter. */
export type Adapter = z.infer<typeof adapter>;

/**
 * Reads the capabilities of an adapter by `dunlin-radio`. Null if the program is missing or the kernel does not answer.
 */
export function describe(name: string, run: (program: string, ...words: string[]) => string | null): Adapter | null {
  // In a package, the program is beside Node.js; in a working tree, it is beside the native addon.
  const beside = join(dirname(process.execPath), 'dunlin-radio');
  const said = run(existsSync(beside) ? beside : 'native/build/Release/dunlin-radio', name, '--describe');
  try {
    return said === null ? null : adapter.parse(JSON.parse(said));
  } catch {
    return null;
  }
}
