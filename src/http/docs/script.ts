/**
 * The script of the documentation page, as the browser gets it. It builds every node by hand and puts text in as
 * text, so that nothing in the document can become markup.
 */
export const docsScript = String.raw`'use strict';

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}

function lastOf(ref) {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function link(ref) {
  const name = lastOf(ref);
  return make('a', { href: '#schema-' + name }, name);
}

/** A schema in a few words, with links to the named ones. */
function typeOf(schema) {
  if (!schema) return ['anything'];
  if (schema.$ref) return [link(schema.$ref)];
  const choices = schema.oneOf || schema.anyOf || schema.allOf;
  if (choices) {
    const named = choices.filter((choice) => !(choice.enum && choice.enum.length === 1 && choice.enum[0] === null));
    const words = named.flatMap((choice, i) => (i === 0 ? typeOf(choice) : [' or ', ...typeOf(choice)]));
    return named.length < choices.length ? [...words, ' or null'] : words;
  }
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(' | ')];
  if (schema.type === 'array') return ['list of ', ...typeOf(schema.items)];
  const words = [schema.format ? schema.type + ' (' + schema.format + ')' : schema.type || 'anything'];
  if (schema.nullable) words.push(' or null');
  return words;
}

/** The bounds and the default of a schema. */
function rulesOf(schema) {
  const rules = [];
  if (schema.minimum !== undefined) rules.push((schema.exclusiveMinimum ? '> ' : '≥ ') + schema.minimum);
  if (schema.maximum !== undefined) rules.push((schema.exclusiveMaximum ? '< ' : '≤ ') + schema.maximum);
  if (schema.minLength !== undefined) rules.push('at least ' + schema.minLength + ' characters');
  if (schema.maxLength !== undefined) rules.push('at most ' + schema.maxLength + ' characters');
  if (schema.maxItems !== undefined) rules.push('at most ' + schema.maxItems + ' entries');
  if (schema.pattern !== undefined) rules.push('matches ' + schema.pattern);
  if (schema.default !== undefined) rules.push('default ' + JSON.stringify(schema.default));
  return rules.join(', ');
}

function table(heads, rows) {
  const head = make('thead', null, make('tr', null, heads.map((text) => make('th', { scope: 'col' }, text))));
  const cells = rows.map((row) => make('tr', null, row.map((cell) => make('td', null, cell))));
  return make('table', null, head, make('tbody', null, cells));
}

/** The fields of an object, those of objects inside it with their path. */
function fieldRows(schema, before) {
  const rows = [];
  const required = new Set(schema.required || []);
  for (const [name, field] of Object.entries(schema.properties || {})) {
    const path = before + name;
    const text = [field.description, rulesOf(field)].filter(Boolean).join('; ');
    rows.push([make('code', null, path), typeOf(field), required.has(name) ? 'always' : 'optional', text]);
    rows.push(...fieldRows(field, path + '.'));
    if (field.items) rows.push(...fieldRows(field.items, path + '[].'));
  }
  return rows;
}

function example(value) {
  if (value === undefined) return null;
  return make('pre', { tabindex: '0' }, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

function contentOf(content) {
  return Object.entries(content || {}).flatMap(([type, media]) => {
    const data = media.schema && media.schema.properties && media.schema.properties.data;
    return [make('p', null, make('code', null, type), ': ', typeOf(data || media.schema)), example(media.example)];
  });
}

function responseOf(spec, response) {
  return response.$ref ? spec.components.responses[lastOf(response.$ref)] : response;
}

function operation(spec, path, method, of) {
  const parameters = (of.parameters || []).map((one) => [
    make('code', null, one.name),
    one.in,
    typeOf(one.schema),
    [one.description, rulesOf(one.schema)].filter(Boolean).join('; '),
  ]);
  const responses = Object.entries(of.responses);
  const errors = responses.filter(([status]) => status !== '200').map(([status, response]) => {
    const media = responseOf(spec, response).content['application/json'];
    return [status, make('code', null, media.example.code), responseOf(spec, response).description, media.example.error];
  });
  const success = of.responses['200'];
  return make('details', { id: of.operationId },
    make('summary', null,
      make('span', { class: 'method' }, method.toUpperCase()),
      make('span', { class: 'path' }, path),
      make('span', { class: 'hint' }, of.summary)),
    of.description ? make('p', null, of.description) : null,
    make('p', { class: 'hint' }, 'role ' + of['x-role'] + (of['x-write'] ? ', changes things' : ', only reads')),
    parameters.length ? [make('h3', null, 'Parameters'), table(['name', 'in', 'type', 'meaning'], parameters)] : null,
    of.requestBody ? [make('h3', null, 'Body'), contentOf(of.requestBody.content)] : null,
    make('h3', null, 'Answer'), make('p', null, success.description), contentOf(success.content),
    make('h3', null, 'Errors'), table(['status', 'code', 'meaning', 'for example'], errors));
}

function schemaDetails(name, schema) {
  return make('details', { id: 'schema-' + name },
    make('summary', null, make('span', { class: 'path' }, name), make('span', { class: 'hint' }, schema.description || '')),
    table(['field', 'type', 'given', 'meaning'], fieldRows(schema, '')));
}

function group(title, text, nodes) {
  return make('section', { class: 'group' }, make('h2', null, title), make('p', { class: 'hint' }, text), nodes);
}

function draw(spec) {
  const main = document.getElementById('main');
  const contents = document.getElementById('contents');
  document.getElementById('title').textContent = spec.info.title + ' HTTP interface ' + spec.info.version;
  const groups = spec.tags.map((tag) => ({ ...tag, nodes: [], links: [] }));
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, of] of Object.entries(methods)) {
      const home = groups.find((one) => one.name === of.tags[0]);
      home.nodes.push(operation(spec, path, method, of));
      home.links.push(make('li', null, make('a', { href: '#' + of.operationId }, method.toUpperCase() + ' ' + path)));
    }
  }
  const schemas = Object.entries(spec.components.schemas);
  main.replaceChildren(
    make('p', { class: 'about' }, spec.info.description),
    ...groups.map((one) => group(one.name, one.description, one.nodes)),
    group('schemas', 'What bodies and answers are made of', schemas.map(([name, schema]) => schemaDetails(name, schema))));
  contents.replaceChildren(...groups.flatMap((one) => [make('h2', null, one.name), make('ul', null, one.links)]));
}

/** Hides what has none of the words; opens the entry that the address names. */
function filter() {
  const words = document.getElementById('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const entry of document.querySelectorAll('details')) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every((word) => text.includes(word));
    if (!entry.hidden) shown++;
  }
  document.getElementById('count').textContent = shown + ' shown';
}

function reveal() {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!entry || entry.tagName !== 'DETAILS') return;
  entry.hidden = false;
  entry.open = true;
  entry.scrollIntoView();
}

async function main() {
  const answer = await fetch('/api/openapi.json');
  const document_ = await answer.json();
  if (!answer.ok) throw new Error(document_.error);
  draw(document_);
  filter();
  reveal();
  document.getElementById('filter').addEventListener('input', filter);
  window.addEventListener('hashchange', reveal);
}

main().catch((error) => {
  document.getElementById('main').textContent = 'The document cannot be shown: ' + error.message;
});
`;
