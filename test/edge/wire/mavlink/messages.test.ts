import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { messageRows } from '../../../../src/edge/wire/mavlink/messages.ts';

t.test('the table is what its generator makes of the definitions', async (t) => {
  const module = join(t.testdir(), 'messages.ts');
  execFileSync(process.execPath, ['scripts/generate_mavlink_messages.mjs', module]);
  t.equal(readFileSync('src/edge/wire/mavlink/messages.ts', 'utf8'), readFileSync(module, 'utf8'));
});

t.test('the table has the published values', async (t) => {
  const published = [
    ['HEARTBEAT', messageIds.heartbeat, 50, 9],
    ['GLOBAL_POSITION_INT', messageIds.globalPositionInt, 104, 28],
    ['RADIO_STATUS', messageIds.radioStatus, 185, 9],
    ['OPEN_DRONE_ID_BASIC_ID', messageIds.odidBasicId, 114, 44],
    ['OPEN_DRONE_ID_LOCATION', messageIds.odidLocation, 254, 59],
    ['OPEN_DRONE_ID_AUTHENTICATION', messageIds.odidAuthentication, 140, 53],
    ['OPEN_DRONE_ID_SELF_ID', messageIds.odidSelfId, 249, 46],
    ['OPEN_DRONE_ID_SYSTEM', messageIds.odidSystem, 77, 54],
    ['OPEN_DRONE_ID_OPERATOR_ID', messageIds.odidOperatorId, 49, 43],
    ['OPEN_DRONE_ID_MESSAGE_PACK', messageIds.odidMessagePack, 94, 249],
    ['OPEN_DRONE_ID_ARM_STATUS', messageIds.odidArmStatus, 139, 51],
    ['OPEN_DRONE_ID_SYSTEM_UPDATE', messageIds.odidSystemUpdate, 7, 18],
  ] as const;
  for (const [name, msgid, crcExtra, length] of published) {
    const row = messageRows.find(([id]) => id === msgid);
    t.same([row?.[4], row?.[1], row?.[3]], [name, crcExtra, length]);
  }
});
