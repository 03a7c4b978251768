import { type LogLevelSpec, logLevelSpecSchema, logLevelStateSchema } from '../../model/log_level.ts';
import { requireFirst } from '../first_workspace.ts';
import { audience, type Room, route } from '../route.ts';

const { owners } = audience('service');

const example: LogLevelSpec = { level: 'debug', for_s: 600 };
const answer = {
  text: 'the level of the journal',
  data: logLevelStateSchema,
  example: { level: 'debug', configured: 'info', reverts_at: '2025-06-01T12:10:00.000Z' },
};
const scope = 'The level applies to the whole box: only owners of the first workspace may set it.';

export const logLevelRoutes = [
  route('GET /log-level', {
    ...owners,
    summary: 'Get log level of the service',
    answer,
    handler: (_call, room: Room) => room.logLevel.get(),
  }),
  route('PUT /log-level', {
    ...owners,
    summary: 'Set log level of the service',
    description: `Takes effect at once and until a restart, or for \`for_s\` seconds. ${scope}`,
    body: { schema: logLevelSpecSchema, example },
    answer,
    errors: ['unavailable'],
    whateverIsShown: true,
    // The log level can be set during a recovery, because the log is needed most then.
    inRecovery: true,
    handler: ({ body, by }, room: Room) => {
      requireFirst(by, room, true, 'the log level belongs to');
      return room.logLevel.set(body, by.actor);
    },
  }),
];
