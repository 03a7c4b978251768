import t from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { asked } from '../../support/fleet/air.ts';
import { copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const far = ({ copter }: Up) => place(moved(copter.body, 900, 0), 40);

const orders = ({ copter }: Up, sinceS: number) =>
  copter.recorder.commands().filter(({ tS, fields }) => tS > sinceS && ![511, 512].includes(Number(fields.command)));

/** From now on what is written to the link stays on the way; the rest of what a send waits for never comes. */
function jam({ air }: Up): void {
  const way = air.links.get('air');
  if (way) way.link.transmit = () => new Promise(() => {});
}

for (const cause of ['Battery 1 is low 10.60V used 181 mAh', null])
  t.test(`a command that a failsafe ended before it was sent is refused, its cause ${cause ?? 'lost'}`, async (t) => {
    const up = await copterUp(t, 40);
    const { air, copter, id } = up;
    const { service } = air.rig.side;
    await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 40));
    jam(up);
    const body = { verb: 'goto', params: far(up), command_id: 'jammed' };
    const sent = t.rejects(service.command(id, body, asked), {
      code: 'conflict',
      message: /^goto was not sent to Heron: /,
    });
    await air.pass(0.2);
    copter.failsafeModeFirst(cause, COPTER_MODE.rtl);
    await air.settled(sent);
    await air.pass(1);
    t.match(service.log.get('jammed'), { state: 'failed', sent_at: null, reason: /the vehicle is in RTL$/ });
    const task = service.tasks(1)[0];
    t.match(task, { command_id: 'jammed', state: 'failed', phase: 'over' });
  });

t.test('a stop of the service leaves no row of a command that was not sent', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const { service } = air.rig.side;
  await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 40));
  jam(up);
  const sent = t.rejects(service.command(id, { verb: 'goto', params: far(up), command_id: 'jammed' }, asked));
  await air.pass(0.2);
  copter.failsafeModeFirst(null, COPTER_MODE.rtl);
  await air.settled(sent);
  service.stop();
  t.match(service.log.get('jammed'), { state: 'failed', sent_at: null });
  t.match(service.tasks(1)[0], { command_id: 'jammed', state: 'failed' });
});

t.test('stop_all and the cancel of an engagement send nothing while the cause of a failsafe is awaited', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const flying = flyingOf(air.rig.side);
  const { task_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  const sinceS = copter.tS;
  copter.failsafeModeFirst(null, COPTER_MODE.circle);
  await air.until(() => air.row(id).mode === 'CIRCLE', 1);
  const late = t.rejects(flying.tasks.cancel(task_id ?? '', 'the engagement is cancelled'), { code: 'conflict' });
  t.match(await air.settled(flying.holdAll(asked.by, 'a helicopter')), [{ held: false, text: /CIRCLE/ }]);
  await air.settled(late);
  await air.pass(5);
  t.strictSame(orders(up, sinceS), []);
  t.equal(copter.mode, COPTER_MODE.circle);
});
