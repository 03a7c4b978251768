import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { builtNative } from '../support/references/built_native.ts';
import { LONG_MS } from '../support/references/emulator.ts';

onlyInFull(t);

// Checks with sanitizers are compiled first.
takeTime(t, 300);

const run = promisify(execFile);

t.test('the tracker takes no memory and holds its bounds in a flood', { timeout: LONG_MS }, async (t) => {
  const binary = await builtNative('tracker_pace', ['-O2']);
  const { stdout } = await run(binary, [String(seedOf(t))]);
  const measured = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
  );
  const of = (name: string): number => measured.get(name) ?? Number.NaN;

  t.ok(of('steady_tracks') >= 200 && of('steady_rows') > 10_000, 'a sky of two hundred was tracked');
  t.equal(of('steady_allocations'), 0, 'nothing is allocated in its second minute');

  t.comment(`flood: ${of('flood_ms_per_s')} ms a second of data, slowest 0.1 s in ${of('flood_slowest_step_ms')} ms`);
  t.ok(of('flood_tracks') <= 300, 'a flood of invented claims stays within the limit');
  t.ok(of('flood_verified') >= 15, 'honest aircraft were verified before it');
  t.equal(of('flood_kept'), of('flood_verified'), 'and each of them keeps its track');

  t.comment(`one talker: ${of('talker_ms_per_s')} ms a second of data`);
  t.ok(of('talker_ms_per_s') < 1000, 'one transmitter that reports out of order does not hold up the rest');
});
