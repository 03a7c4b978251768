import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { sourceFiles } from './imports.ts';

/** A field of a class that others fill with a function: a second one would silence the first. */
const slots: readonly RegExp[] = [
  // The end of the line tells a field from a parameter with a default; biome breaks a long one after its `=`.
  /^ {2}(?:public |readonly )*[A-Za-z]\w*\??: \(.*\) => .+ =(?:$| .*[;{]$)/,
  /^ {2}\) => .+ =(?:$| .*[;{]$)/,
  /^ {2}(?:public )?[A-Za-z]\w*\??: \(\(.*=>.*\) \| (?:null|undefined)(?: = .*)?;$/,
  /^ {2}(?:public )?on[A-Z]\w* = /,
  /[\w)\]]\.on[A-Z]\w* = /,
];

const isSlot = (line: string): boolean => slots.some((slot) => slot.test(line));

t.test('no class has a callback that is assigned later: an emitter or a constructor argument is used', async (t) => {
  const files = sourceFiles('src');
  t.ok(files.length > 500, 'the sources were found');
  const found = files.flatMap((file) =>
    readFileSync(join('src', file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (isSlot(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  t.same(found, []);
});

t.test('a callback that is assigned later is found, and what looks like one is not', async (t) => {
  for (const line of [
    '  onChange: () => void = () => {};',
    '  readonly onChange: (run: Run) => void = (run) => {',
    '  onAffiliated: (track: Track, was: Who) => void =',
    '  ) => void = () => {};',
    '  issuedFor: (linkId: string) => string | null = () => null;',
    '  teller: ((text: string) => void) | null = null;',
    '  onChange = () => {};',
    '    fleet.onReboot = (vehicle) => this.end(vehicle);',
    '    parts().onEnded = hush;',
  ])
    t.ok(isSlot(line), line);
  for (const line of [
    '  onFault(fault: Fault): void;',
    '  readonly onFault: (fault: Fault) => void;',
    '  realMs: () => number = () => performance.now(),',
    '  #unsubscribe: () => void = () => {};',
    '  readonly note = (kind: string): void => {',
    "    const onGround = message.flag === '1';",
  ])
    t.notOk(isSlot(line), line);
});
