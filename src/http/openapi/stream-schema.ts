import { z } from 'zod';
import { type EventKind, eventBodies, eventDataSchema } from '../../model/event.ts';
import { type JsonSchema, tidy } from './schema.ts';

/** A JSON Schema (2020-12) whose property of a kind's name describes what stands in the `data:` line of that kind. */
export function makeStreamSchema(): JsonSchema {
  const kinds = Object.keys(eventBodies) as EventKind[];
  const whole = z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, eventDataSchema(kind)])));
  const { required: _required, ...schema } = tidy(z.toJSONSchema(whole)) as JsonSchema;
  return { title: 'Events of the stream', description: 'The data of each kind of event, by kind', ...schema };
}
