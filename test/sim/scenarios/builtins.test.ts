import t from 'tap';
import { parse } from 'yaml';
import { MOST_FLYING } from '../../../src/model/scenario.ts';
import {
  builtinDeps,
  builtinScenario,
  builtinScenarios,
  builtinText,
  scenarioFiles,
} from '../../../src/sim/scenarios/builtins.ts';
import { lineOf } from '../../../src/sim/scenarios/fault.ts';
import { readScenario } from '../../../src/sim/scenarios/read.ts';
import { writeScenario } from '../../../src/sim/scenarios/scenario_service.ts';
import { onlyInFull } from '../../support/basics/patience.ts';

onlyInFull(t);

const files = scenarioFiles();

t.test('those that the interface names are there, and more', async (t) => {
  for (const key of [
    'lone_intruder',
    'pilot_and_drone',
    'swarm',
    'spoofed_remote_id',
    'crossing_friends',
    'sensor_outage_clutter',
    'crewed_aircraft',
    'patrol_tasking',
    'busy_airport',
    'hide_and_evade',
  ]) {
    t.ok(files.includes(key), key);
    t.equal(builtinScenario(key)?.id, builtinScenario(builtinScenario(key)?.id ?? '')?.id);
  }
});

t.test('every built-in scenario reads and checks clean, is told, and is written as it was read', async (t) => {
  t.equal(builtinScenarios().length, files.length);
  t.equal(new Set(builtinScenarios().map(({ id }) => id)).size, files.length);
  t.equal(new Set(builtinScenarios().map(({ name }) => name)).size, files.length);
  for (const file of files) {
    const text = builtinText(file);
    const { spec, faults } = readScenario(text, builtinDeps);
    t.same(faults.map(lineOf), [], file);
    if (!spec) continue;
    // The demonstration is long enough to look back at what happened ten minutes ago.
    const mostS = file === 'demo' ? 1_500 : 600;
    t.ok(spec.duration_s >= 60 && spec.duration_s <= mostS, `${spec.duration_s} s`);
    t.ok(spec.description.length > 80, 'it says what it is about');
    t.ok(spec.expect.length >= 4, 'something must come of it');
    t.same(readScenario(writeScenario(spec), builtinDeps).spec, spec, 'written and read again');
    t.same(readScenario(JSON.stringify(parse(text)), builtinDeps).spec, spec, 'as JSON it is the same');
  }
});

t.test('the busy one has 300 aircraft and eight sensors', async (t) => {
  const busy = builtinScenario('busy_airport');
  t.equal(busy?.actors.length, 300);
  t.equal(busy?.sensors.length, 8);
  t.equal(busy?.actors.filter(({ adsb, kind }) => adsb && kind === 'aircraft').length, 258);
  t.ok(300 < MOST_FLYING);
});
