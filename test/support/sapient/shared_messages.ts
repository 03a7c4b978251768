import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.cwd(), '../shared/interop/sapient_messages.jsonl');

/** A reason for tap's `skip` where the data is not at hand. */
export const sapientDataMissing: string | false = existsSync(path) ? false : 'the data of SAPIENT is not here';

export type SapientCase = {
  id: string;
  /** Message without its length, base64. */
  frame: string;
  /** Whether Apex finds no fault with it. */
  valid: boolean;
  apex: string[];
  json?: object;
};

export function sapientCases(): SapientCase[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SapientCase);
}
