import t from 'tap';
import { rowsOfDialects } from '../../../../scripts/generate_mavlink_messages.ts';
import { messageIds } from '../../../../src/edge/wire/mavlink/known.ts';
import { messageRows } from '../../../../src/edge/wire/mavlink/messages.ts';

t.test('the committed table is what its generator makes of the definitions', async (t) => {
  t.same(messageRows, rowsOfDialects());
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
