import { z } from 'zod';
import { linkConfigSchema } from '../../model/link.ts';
import { outletConfigSchema } from '../../model/outlet.ts';
import { sensorSpecSchema } from '../../model/sensor.ts';
import { type ConfigDocument, type Path, type Place, readDocument } from './document.ts';
import { parseNetwork } from './fields.ts';
import { checkLinks, duplicateNames, linkWarnings, type RowProblem } from './link_checks.ts';
import { checkOutlets } from './outlet_checks.ts';
import { type Config, configSchema } from './schema.ts';
import { wordIssue, wordUnknownKey } from './wording.ts';

/**
 * A loaded configuration. Problems and warnings are lines `file:line:column: path: sentence`, in the order of the file.
 * After `MAX_LINES` of them, one line has the number of the others.
 */
export type LoadedConfig =
  | { ok: true; config: Config; problems: []; warnings: string[] }
  | { ok: false; config: null; problems: string[]; warnings: string[] };

type Entry = { place: Place; path: Path; sentence: string };

/**
 * Reads a configuration text and reports its problems together. If the text is not valid YAML, only the faults of the
 * YAML are reported. `file` only names the text in the problems.
 */
export function loadConfig(source: { file: string; text: string }): LoadedConfig {
  const document = readDocument(source.text);
  const lines = (entries: Entry[]): string[] => writeOut(source.file, entries);
  const warnings = document.warnings.map((found) => ({ ...found, path: [] as Path }));
  if (document.errors.length > 0) {
    const errors = document.errors.map((found) => ({ ...found, path: [] as Path }));
    return { ok: false, config: null, problems: lines(errors), warnings: lines(warnings) };
  }
  const result = configSchema.safeParse(document.value ?? {}, { reportInput: true });
  const problems = result.success ? [] : result.error.issues.flatMap((issue) => entriesOf(document, issue));
  const lists = rowsOf(document);
  problems.push(...rowEntries(document, 'links', checkLinks(lists.links, lists.listen)));
  problems.push(...rowEntries(document, 'outlets', checkOutlets(lists.outlets)));
  problems.push(...rowEntries(document, 'sensors', duplicateNames('sensors', lists.sensors)));
  warnings.push(...rowEntries(document, 'links', linkWarnings(lists.links)));
  if (!result.success || problems.length > 0) {
    return { ok: false, config: null, problems: lines(problems), warnings: lines(warnings) };
  }
  warnings.push(...exposureWarnings(document, result.data));
  return { ok: true, config: result.data, problems: [], warnings: lines(warnings) };
}

const MAX_LINES = 100;

function writeOut(file: string, entries: Entry[]): string[] {
  const lines = new Set(entries.sort(inFileOrder).map((entry) => line(file, entry)));
  const shown = [...lines].slice(0, MAX_LINES);
  if (lines.size > shown.length) shown.push(`${file}: and ${lines.size - shown.length} more such lines`);
  return shown;
}

function line(file: string, { place, path, sentence }: Entry): string {
  const where = path.length > 0 ? `${path.map(String).join('.')}: ` : '';
  return `${file}:${place.line}:${place.column}: ${where}${sentence}`;
}

function inFileOrder(a: Entry, b: Entry): number {
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

function entriesOf(document: ConfigDocument, issue: z.core.$ZodIssue): Entry[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      place: document.placeOfKey(issue.path, key),
      path: [...issue.path, key],
      sentence: wordUnknownKey(configSchema, issue.path, key),
    }));
  }
  return [{ place: document.placeOf(issue.path), path: issue.path, sentence: wordIssue(issue) }];
}

const roughly = z.looseObject({
  http: z.looseObject({ listen: z.string() }).optional().catch(undefined),
  links: z.array(z.unknown()).optional().catch(undefined),
  outlets: z.array(z.unknown()).optional().catch(undefined),
  sensors: z.array(z.unknown()).optional().catch(undefined),
});

/**
 * Returns the rows of the lists of links, outlets and sensors. They can be compared with each other even if other parts
 * of the file are invalid. An invalid row is null.
 */
function rowsOf(document: ConfigDocument) {
  const rough = roughly.safeParse(document.value ?? {}).data ?? {};
  const good = <T>(rows: unknown[] | undefined, schema: z.ZodType<T>): (T | null)[] =>
    (rows ?? []).map((row) => schema.safeParse(row).data ?? null);
  return {
    links: good(rough.links, linkConfigSchema),
    outlets: good(rough.outlets, outletConfigSchema),
    sensors: good(rough.sensors, sensorSpecSchema),
    listen: rough.http?.listen ?? '127.0.0.1:8077',
  };
}

function rowEntries(document: ConfigDocument, list: string, found: RowProblem[]): Entry[] {
  return found.map(({ index, key, sentence }) => {
    const path = [list, index, ...key.split('.')];
    return { place: document.placeOf(path), path, sentence };
  });
}

function exposureWarnings(document: ConfigDocument, config: Config): Entry[] {
  return config.access.trusted_networks.flatMap((text, index) => {
    if (parseNetwork(text)?.prefix !== 0) return [];
    const path = ['access', 'trusted_networks', index];
    const sentence = `${text} gives callers from every address the role ${config.access.open_role} without a sign-in`;
    return [{ place: document.placeOf(path), path, sentence }];
  });
}
