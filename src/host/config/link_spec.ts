import { Fault } from '../../model/fault.ts';
import { type LinkSpec, linkSpecSchema } from '../../model/link.ts';
import { addressProblem } from './link_checks.ts';
import { wordIssue, wordUnknownKey } from './wording.ts';

const numbers: ReadonlySet<string> = new Set(['baud', 'max_msgs_per_s', 'silence_s']);
const lists: ReadonlySet<string> = new Set(['sources_allow']);

/**
 * Reads a link as the command line writes it: `name=rid,transport=udp,address=127.0.0.1:14550,protocol=mavlink`.
 * A key that holds a list is repeated for each entry. Throws an `invalid_input` Fault whose sentence names every bad key.
 */
export function parseLinkSpec(text: string): LinkSpec {
  const { row, problems } = readPairs(text);
  const result = linkSpecSchema.safeParse(row, { reportInput: true });
  for (const issue of result.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') problems.push(`${issue.path.join('.')}: ${wordIssue(issue)}`);
    else for (const key of issue.keys) problems.push(`${key}: ${wordUnknownKey(linkSpecSchema, [], key)}`);
  }
  const address = result.success ? addressProblem(result.data) : null;
  if (address !== null) problems.push(`address: ${address}`);
  if (!result.success || problems.length > 0) {
    throw new Fault('invalid_input', `--link ${text.slice(0, 120)}: ${problems.join('; ')}`);
  }
  return result.data;
}

function readPairs(text: string): { row: Record<string, unknown>; problems: string[] } {
  const row = new Map<string, unknown>();
  const problems: string[] = [];
  for (const pair of text.split(',')) {
    const [, key, value] = /^\s*([a-z_]+)\s*=(.*)$/is.exec(pair) ?? [];
    if (key === undefined || value === undefined) {
      problems.push(`${JSON.stringify(pair)} is not key=value`);
    } else if (lists.has(key)) {
      row.set(key, [...((row.get(key) as string[] | undefined) ?? []), value.trim()]);
    } else if (row.has(key)) {
      problems.push(`${key}: is given twice`);
    } else {
      row.set(key, typed(key, value.trim()));
    }
  }
  return { row: Object.fromEntries(row), problems };
}

/** A shell gives only text; what the schema wants as a number or truth value is turned into one where it reads as one. */
function typed(key: string, value: string): unknown {
  if (numbers.has(key) && /^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (key === 'enabled' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
