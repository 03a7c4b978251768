import { isFull } from '../support/basics/size.ts';
import { changedAt, type Place } from '../support/http/generated_body.ts';
import type { Described, OpenApi, Schema } from '../support/http/openapi.ts';

/** A wrong body, the path of its wrong field as a 400 names it, and the values that an enumeration allows. */
export type BodyMistake = { what: string; path: string; body: unknown; allowed: readonly string[] };
export type QueryMistake = { what: string; path: string; value: string; allowed: readonly string[] };

const others: Record<string, unknown> = { string: 'surely not', number: 1.5, boolean: true, object: {}, array: [] };

/** Each required field absent, each type wrong and each enumeration wrong, at every depth of the example of an operation. */
export function bodyMistakes({ document, operation }: Described): BodyMistake[] {
  const media = operation.requestBody?.content['application/json'];
  if (media?.example === undefined) return [];
  const mistakes: BodyMistake[] = [];
  visit(document, media.schema ?? {}, media.example, [], (schema, value, place) => {
    const path = pathOf(place);
    const add = (what: string, to: unknown, at = path): void => {
      const allowed = Array.isArray(schema.enum) ? schema.enum.filter((one) => one !== null).map(String) : [];
      mistakes.push({ what, path: at, body: changedAt(media.example, place, to), allowed });
    };
    if (place.length > 0) for (const wrong of wrongTypes(schema)) add(`'${path}' is ${JSON.stringify(wrong)}`, wrong);
    if (Array.isArray(schema.enum)) add(`'${path}' is none of its values`, 'surely not one of them');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const field of (schema.required ?? []) as string[]) {
      const at = pathOf([...place, field]);
      const { [field]: _left, ...rest } = value as Record<string, unknown>;
      mistakes.push({ what: `'${at}' is absent`, path: at, body: changedAt(media.example, place, rest), allowed: [] });
    }
    if (schema.additionalProperties !== false) return;
    const at = pathOf([...place, 'surely_unknown']);
    add(`'${at}' is unknown`, { ...value, surely_unknown: 1 }, at);
  });
  return mistakes;
}

/** Each parameter of the query with a value of another type, or none of its own. */
export function queryMistakes({ operation }: Described): QueryMistake[] {
  return (operation.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    if (place !== 'query') return [];
    const allowed = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
    const isText = schema.type === 'string' && allowed.length === 0 && schema.format === undefined;
    const value = isText ? 'x'.repeat(Number(schema.maxLength ?? 200) + 1) : 'surely not';
    return [{ what: `the parameter '${name}' is ${value.slice(0, 20)}`, path: name, value, allowed }];
  });
}

type Visit = (schema: Schema, value: unknown, place: Place) => void;

/** Visits each value of an example whose schema is known for sure: not below a choice of several. */
function visit(document: OpenApi, of: Schema, value: unknown, place: Place, then: Visit): void {
  const schema = settled(document, of);
  if (schema === null) return;
  then(schema, value, place);
  if (Array.isArray(value)) {
    const [first] = value;
    if (first !== undefined) visit(document, (schema.items ?? {}) as Schema, first, [...place, 0], then);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  for (const [key, inner] of Object.entries(value)) {
    const field = properties[key];
    if (field !== undefined) visit(document, field, inner, [...place, key], then);
  }
}

/** The schema behind references and the choice between something and null; null where it is a choice of several. */
function settled(document: OpenApi, schema: Schema): Schema | null {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return settled(document, document.components.schemas[name] ?? {});
  }
  const choices = ((schema.oneOf ?? schema.anyOf) as Schema[] | undefined)?.filter(
    ({ enum: values }) => !(Array.isArray(values) && values.length === 1 && values[0] === null),
  );
  if (choices !== undefined) {
    const [only, ...more] = choices;
    return only === undefined || more.length > 0 ? null : nullable(settled(document, only));
  }
  const [only] = (schema.allOf ?? []) as Schema[];
  return only === undefined ? schema : settled(document, only);
}

function nullable(schema: Schema | null): Schema | null {
  return schema === null ? null : { ...schema, nullable: true };
}

let fieldsSeen = 0;

/** Values of other types; the next of them for each field, all with `--full`. */
function wrongTypes(schema: Schema): unknown[] {
  if (schema.type === undefined && !Array.isArray(schema.enum)) return [];
  const own = schema.type === 'integer' ? 'number' : String(schema.type);
  const wrong = Object.entries(others).flatMap(([type, value]) => (type === own ? [] : [value]));
  const all = schema.nullable === true ? wrong : [...wrong, null];
  return isFull ? all : [all[fieldsSeen++ % all.length]];
}

/** A place as a 400 names it: `obs[0].sigma.h_m`. */
function pathOf(place: Place): string {
  let text = '';
  for (const step of place) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^\w{1,60}$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
