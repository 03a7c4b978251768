import t from 'tap';
import { isMoving, setsInMotion, stoppedAtOf } from '../../src/console/state/movements.ts';
import type { Engagement } from '../../src/model/engagement.ts';

const row = (seq: number, verb?: string) => ({
  ...{ seq, at: `2026-06-01T10:00:0${seq}.000Z`, after: verb === undefined ? null : { verb } },
});

t.test('a page that is opened after a stop reads from the log whether it still holds', async (t) => {
  const stop = row(5);
  t.equal(stoppedAtOf([stop], [row(4)], [row(3, 'goto'), row(6, 'hold')]), stop.at);
  t.equal(stoppedAtOf([stop], [row(6)], []), null, 'a plan was approved since');
  t.equal(stoppedAtOf([stop], [], [row(6, 'takeoff')]), null, 'a movement was ordered since');
  t.equal(stoppedAtOf([], [], []), null);
  const approved = (verb: string) => ({ ...row(6), after: { legs: [{ verb }] } });
  t.equal(stoppedAtOf([stop], [approved('orbit')], []), null);
  t.equal(stoppedAtOf([stop], [approved('look_at')], []), stop.at, 'a camera moves no vehicle');
  t.equal(stoppedAtOf([stop], [{ ...row(6), after: { legs: [] } }], []), stop.at, 'nor does a notification');
});

t.test('a plan ends a stop where it moves a vehicle', async (t) => {
  const of = (state: Engagement['state'], verb: string) =>
    setsInMotion({
      ...{ state, chosen_plan_id: 'b' },
      candidates: [
        { id: 'a', legs: [{ verb: 'orbit' }] },
        { id: 'b', legs: [{ verb }] },
      ] as Engagement['candidates'],
    });
  t.equal(of('approved', 'orbit'), true);
  t.equal(of('executing', 'takeoff'), true);
  t.equal(of('executing', 'look_at'), false);
  t.equal(of('proposed', 'orbit'), false);
});

t.test('a vehicle that flies on after a stop is known by its speed, whatever its mode', async (t) => {
  const velocity = (speed_mps: number) => ({ speed_mps, course_deg: 0, climb_mps: 0 });
  t.equal(isMoving({ landed: 'in_air', velocity: velocity(9) }), true);
  t.equal(isMoving({ landed: 'unknown', velocity: velocity(9) }), true);
  t.equal(isMoving({ landed: 'in_air', velocity: velocity(0.3) }), false, 'it hovers');
  t.equal(isMoving({ landed: 'on_ground', velocity: velocity(9) }), false);
  t.equal(isMoving({ landed: 'in_air', velocity: null }), false);
});
