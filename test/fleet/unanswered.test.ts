import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { createMavlinkCodec } from '../../src/edge/wire/mavlink/codec.ts';
import { messageIds } from '../../src/edge/wire/mavlink/known.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { Air } from '../support/fleet/air.ts';
import { CMD, RESULT } from '../support/vehicles/command.ts';
import { encode, type Fields } from '../support/vehicles/messages.ts';

onlyInFull(t);

const AVAILABLE_MODES = 435;
const STEP_MS = 500;
const HOUR_MS = 3_600_000;
const from = '127.0.0.1:14550';

t.test('a copter that acknowledges requests for its modes and sends none is asked 3 times, then hourly', async (t) => {
  const air = new Air(t);
  const { fleet } = air.rig;
  const codec = createMavlinkCodec({ datagrams: true });
  const beganMs = air.nowMs;
  let seq = 0;
  const say = (name: string, fields: Fields): void => {
    const frame = encode({ sysid: 1, compid: 1, seq: seq++ % 256 }, name, fields);
    codec.decode(frame, from, air.nowMs, (message) => fleet.take('air', message, from, air.nowMs));
  };
  const askedMs: number[] = [];
  const answers: number[] = [];
  air.linkTo('air', {
    transmit: async ({ msgid, payload }) => {
      if (msgid !== messageIds.commandLong) return;
      const command = payload.readUInt16LE(28);
      answers.push(command);
      if (command === CMD.requestMessage && payload.readFloatLE(0) === AVAILABLE_MODES)
        askedMs.push(air.nowMs - beganMs);
    },
  });
  const beat = { type: 2, autopilot: 3, base_mode: 81, custom_mode: 4, system_status: 3, mavlink_version: 3 };
  while (air.nowMs < beganMs + 2 * HOUR_MS + 600_000) {
    air.nowMs += STEP_MS;
    if (air.nowMs % 1_000 === 0) say('HEARTBEAT', beat);
    for (const command of answers.splice(0))
      say('COMMAND_ACK', { command, result: RESULT.accepted, target_system: 245, target_component: 190 });
    fleet.tick();
    await turn();
  }
  t.equal(askedMs.filter((ms) => ms < 60_000).length, 3, askedMs.join());
  t.equal(askedMs.length, 5, askedMs.join());
  const gapsMs = askedMs.slice(3).map((ms, i) => ms - (askedMs[i + 2] ?? 0));
  t.ok(
    gapsMs.every((ms) => ms >= HOUR_MS && ms < HOUR_MS + 60_000),
    gapsMs.join(),
  );
});
