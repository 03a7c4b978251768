import t from 'tap';
import { modeHint, spoken, verbName } from '../../src/console/words/flight.ts';
import { modesOf } from '../../src/fleet/modes.ts';
import { verbNames } from '../../src/model/verb.ts';

t.test('a verb has a name of plain words', async (t) => {
  for (const verb of verbNames) t.match(verbName(verb), /^[a-z]+( [a-z]+)*$/, verb);
  t.equal(verbName('goto'), 'go to');
  t.equal(verbName('return_home'), 'return home');
});

t.test('a sentence of the box names verbs and modes in words', async (t) => {
  for (const [box, screen] of [
    ['goto is not available on Heron: it is on the ground', 'go to is not available on Heron: it is on the ground'],
    [
      'return_home of Heron is done: it holds in BRAKE',
      'return home of Heron is done: it holds in the mode “stand still”',
    ],
    ['it did not come home: it is in RTL', 'it did not come home: it is in the mode “return home”'],
    [
      'the vehicle acknowledged GUIDED but is in LOITER',
      'the vehicle acknowledged the mode “follow orders” but is in the mode “stay in place”',
    ],
    [
      'the vehicle acknowledged the mode RTL but is not in it',
      'the vehicle acknowledged the mode “return home” but is not in it',
    ],
    ['it has no GUIDED mode', 'it has no mode “follow orders”'],
    ['the live world flies goto.', 'the live world flies go to.'],
  ] as const)
    t.equal(spoken(box), screen);
});

t.test('what is no name of a verb or a mode stays as the box said it', async (t) => {
  for (const sentence of [
    'T-0007 (unknown) is in Depot (protected), 68 m above ground.',
    'Heron AUTO will land in LAND-1, and RTL_4 goes on',
    'go-goto-bar and my_goto are vehicles',
    'its modes are AUTO, RTL',
    '',
  ])
    t.equal(spoken(sentence), sentence);
});

t.test('every mode that the box knows is explained', async (t) => {
  const known = [modesOf('ardupilot', 'multirotor'), modesOf('ardupilot', 'fixed_wing'), modesOf('px4', 'multirotor')];
  for (const { name } of known.flat()) t.match(modeHint(name), /^Mode of its autopilot: \w/, name);
  t.match(modeHint('PIROUETTE'), /as the autopilot names it/);
  t.match(modeHint(null), /has not said/);
});
