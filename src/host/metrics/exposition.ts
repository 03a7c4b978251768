/** Content type of Prometheus' text exposition format, version 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Throws a TypeError if the name of a metric or label is not allowed. Such a name is a bug, and is found at the start.
 */
export function assertNames(name: string, labels: readonly string[]): void {
  if (!metricName.test(name)) throw new TypeError(`${name} is not a valid metric name`);
  for (const label of labels) {
    if (!labelName.test(label) || label.startsWith('__'))
      throw new TypeError(`metric ${name}: ${label} is not a valid label name`);
  }
}

export function header(name: string, help: string, type: string): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`;
}

export function sample(name: string, names: readonly string[], values: readonly string[], value: number): string {
  const labels = names.map((label, index) => `${label}="${escapeLabel(values[index] ?? '')}"`).join(',');
  return `${name}${labels === '' ? '' : `{${labels}}`} ${formatNumber(value)}\n`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

export function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
