import { invalidInput } from '../../model/fault.ts';
import { type OutletConfig, outletConfigSchema } from '../../model/outlet.ts';
import { outletAddressProblem } from './outlet_checks.ts';
import { wordIssue, wordUnknownKey } from './wording.ts';

/** Keys whose values stay text, even if they look like a number or boolean. */
const texts: ReadonlySet<string> = new Set([
  ...['name', 'address', 'interface', 'tls.server_name'],
  ...['cert_file', 'key_file', 'ca_file'],
]);
const lists: ReadonlySet<string> = new Set(['redact', 'filter.affiliations', 'filter.states']);

/**
 * Parses an outlet in the form of the command line: `name=tak,kind=cot,transport=udp,address=239.2.3.1:6969`. A nested
 * field is written with a dot (`options.stale_s=60`). A key whose value is a list is repeated for each entry; `redact=`
 * means an empty list. Throws an `invalid_input` Fault whose sentence names every wrong key.
 */
export function parseOutletSpec(text: string): OutletConfig {
  const { row, problems } = readPairs(text);
  const result = outletConfigSchema.safeParse(row, { reportInput: true });
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') problems.push(`${path}: ${wordIssue(issue)}`);
    else
      for (const key of issue.keys)
        problems.push(`${path === '' ? '' : `${path}.`}${key}: ${wordUnknownKey(outletConfigSchema, issue.path, key)}`);
  }
  const address = result.success ? outletAddressProblem(result.data) : null;
  if (address !== null) problems.push(`address: ${address}`);
  if (!result.success || problems.length > 0)
    throw invalidInput(`--outlet ${text.slice(0, 120)}: ${problems.join('; ')}`);
  return result.data;
}

type Row = Record<string, unknown>;

function readPairs(text: string): { row: Row; problems: string[] } {
  const row: Row = {};
  const problems: string[] = [];
  for (const pair of text.split(',')) {
    const [, path, value] = /^\s*([a-z_]+(?:\.[a-z_]+)*)\s*=(.*)$/is.exec(pair) ?? [];
    if (path === undefined || value === undefined) problems.push(`${JSON.stringify(pair)} is not key=value`);
    else put(row, path, value.trim(), problems);
  }
  return { row, problems };
}

function put(row: Row, path: string, value: string, problems: string[]): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let within = row;
  for (const key of keys) {
    const next = Object.hasOwn(within, key) ? within[key] : {};
    if (typeof next !== 'object' || next === null) return void problems.push(`${path}: ${key} has a value already`);
    within[key] = next;
    within = next as Row;
  }
  const before = Object.hasOwn(within, last) ? within[last] : undefined;
  if (lists.has(path)) within[last] = [...((before as unknown[] | undefined) ?? []), ...(value === '' ? [] : [value])];
  else if (before !== undefined) problems.push(`${path}: is given twice`);
  else within[last] = texts.has(path) ? value : typed(value);
}

function typed(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null') return null;
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
