// Writes native/layouts.json twice: as a C++ header and as a TypeScript module. It runs before either is compiled (the
// addon's build, scripts/env.sh, `npm run build`) and in plain JavaScript, because nothing is built then.
// Usage: node scripts/generate_layouts.mjs [TABLE HEADER MODULE]
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const own = ['native/layouts.json', 'native/layouts.h', 'src/model/rows/layouts.ts'];
const [table, header, module] =
  process.argv.length > 2
    ? process.argv.slice(2)
    : own.map((path) => fileURLToPath(new URL(`../${path}`, import.meta.url)));

const source = readFileSync(table, 'utf8');
const { columns, names, numbers } = JSON.parse(source);
/** Hash of the table, which the program compares with the addon's when it loads it. */
const fingerprint = createHash('sha256').update(source).digest('hex').slice(0, 16);
const warning = '// Generated from native/layouts.json by scripts/generate_layouts.mjs; edit the table.';

const pascal = (name) => name.replace(/(^|_)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const singular = (name) => pascal(name).replace(/s$/, '');
const upper = (name) => name.toUpperCase();
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Columns of a layout with their offsets; one that holds rows of another layout is the last, and leaves no width. */
function laidOut({ about, ...entries }) {
  let at = 0;
  const cells = Object.entries(entries).map(([name, entry]) => {
    const [size, text] = Array.isArray(entry) ? entry : [1, entry];
    const cell = { name, text, at };
    at += typeof size === 'number' ? size : Number.NaN;
    return cell;
  });
  if (cells.some(({ at }) => Number.isNaN(at))) throw new Error('a column of rows has to be the last of its layout');
  return { about, cells: Number.isNaN(at) ? cells : [...cells, { name: 'width', text: '', at }] };
}

const layouts = Object.entries(columns).map(([name, layout]) => ({ name, ...laidOut(layout) }));
const constants = Object.entries(numbers).map(([name, { about, ...values }]) => ({
  ...{ name, about },
  cells: Object.entries(values).map(([name, at]) => ({ name, text: '', at })),
}));

/** Offsets are plain numbers: they are added to, and compared with, sizes of arrays. */
function cppOffsets({ name, about, cells }) {
  const lines = cells.map(({ name: column, at, text }) => {
    const comment = text ? `  // ${text}` : '';
    return `inline constexpr size_t k${pascal(name)}${pascal(column)} = ${at};${comment}`;
  });
  return [`/// ${about}`, ...lines, ''];
}

function cppEnum({ name, about, cells }) {
  const lines = cells.map((cell) => `  k${pascal(name)}${pascal(cell.name)} = ${cell.at},`);
  return [`/// ${about}`, `enum ${pascal(name)} : int {`, ...lines, '};', ''];
}

function cppNames([name, list]) {
  const lines = list.map((one) => `  k${pascal(one)},`);
  return [`enum class ${singular(name)} : uint8_t {`, ...lines, '};', ''];
}

function tsObject({ name, about, cells }) {
  const lines = cells.flatMap((cell) => [
    ...(cell.text ? [`  /** ${sentence(cell.text)}. */`] : []),
    `  ${camel(cell.name)}: ${cell.at},`,
  ]);
  return [`/** ${about} */`, `export const ${upper(name)} = {`, ...lines, '} as const;', ''];
}

const tsNames = ([name, list]) => [
  `export const ${camel(name)} = [${list.map((one) => `'${one}'`).join(', ')}] as const;`,
  `export type ${singular(name)} = (typeof ${camel(name)})[number];`,
  '',
];

const cpp = [
  ...[warning, '#pragma once', '', '#include <cstddef>', '#include <cstdint>', '', 'namespace dunlin {', ''],
  ...[`inline constexpr char kLayoutsFingerprint[] = "${fingerprint}";`, ''],
  ...layouts.flatMap(cppOffsets),
  ...Object.entries(names).flatMap(cppNames),
  ...constants.flatMap(cppEnum),
  ...['}  // namespace dunlin', ''],
];
const ts = [
  ...[warning, ''],
  ...[`export const LAYOUTS_FINGERPRINT = '${fingerprint}';`, ''],
  ...layouts.flatMap(tsObject),
  ...Object.entries(names).flatMap(tsNames),
  ...constants.flatMap(tsObject),
];

/** Leaves a file that is up to date alone, so that nothing is compiled again for it. */
function write(path, text) {
  let before = null;
  try {
    before = readFileSync(path, 'utf8');
  } catch {}
  if (text !== before) writeFileSync(path, text);
}

write(header, cpp.join('\n'));
write(module, `${ts.join('\n').trimEnd()}\n`);
