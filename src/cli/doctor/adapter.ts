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

/** Asks the radio's program; null where it is not there, or the kernel does not answer it. */
export function describe(name: string, run: (program: string, ...words: string[]) => string | null): Adapter | null {
  // The package has it beside its Node.js, a tree beside the addon.
  const beside = join(dirname(process.execPath), 'dunlin-radio');
  const said = run(existsSync(beside) ? beside : 'native/build/Release/dunlin-radio', name, '--describe');
  try {
    return said === null ? null : adapter.parse(JSON.parse(said));
  } catch {
    return null;
  }
}
