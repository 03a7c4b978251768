/** A reader of Prometheus' text format, written from its description and not from our writer. */
export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Page = { samples: Sample[]; types: Map<string, string>; helps: Map<string, string> };

export function parsePage(text: string): Page {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line must end');
  const page: Page = { samples: [], types: new Map(), helps: new Map() };
  const seen = new Set<string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const meta = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/s.exec(line);
    if (meta !== null) {
      const [, kind, name = '', rest = ''] = meta;
      const kept = kind === 'HELP' ? page.helps : page.types;
      if (kept.has(name)) throw new Error(`second ${kind} of ${name}`);
      kept.set(name, rest);
      continue;
    }
    const sample = parseSample(line);
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(identity)) throw new Error(`a series stands twice: ${line}`);
    seen.add(identity);
    page.samples.push(sample);
  }
  return page;
}

function parseSample(line: string): Sample {
  const [, name, body, number] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s.exec(line) ?? [];
  if (name === undefined || number === undefined) throw new Error(`not a sample: ${line}`);
  const value = number === '+Inf' ? Infinity : number === '-Inf' ? -Infinity : Number(number);
  if (Number.isNaN(value) && number !== 'NaN') throw new Error(`not a number: ${line}`);
  return { name, labels: parseLabels(body ?? ''), value };
}

function parseLabels(body: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = body;
  while (rest !== '') {
    const [all, name, value] = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/.exec(rest) ?? [];
    if (all === undefined || name === undefined || value === undefined) throw new Error(`not labels: ${rest}`);
    labels[name] = value.replace(/\\(.)/gs, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    rest = rest.slice(all.length);
  }
  return labels;
}
