/** One look at the daemon. */
export type Sample = { minute: number; rssMib: number; heapMib: number; loopP99Ms: number; dropped: number };

/** Between the second fifth of the time and the last, memory may grow by so much: V8 fills its room before it tidies. */
const growthLimitMib = 40;
const loopLimitMs = 200;

/** Judges a run: its rows for people, and whether it held. The first fifth is warming up. */
export function verdictOf(samples: readonly Sample[]): { rows: string[]; held: boolean } {
  const part = (from: number, to: number): Sample[] =>
    samples.slice(Math.floor((samples.length * from) / 5), Math.ceil((samples.length * to) / 5));
  const rssMib = (sample: Sample): number => sample.rssMib;
  const early = median(part(1, 2).map(rssMib));
  const late = median(part(4, 5).map(rssMib));
  const slope = slopeOf(part(1, 5).map(({ minute, rssMib: y }) => ({ x: minute / 60, y })));
  const loopMs = median(part(1, 5).map(({ loopP99Ms }) => loopP99Ms));
  const dropped = samples.at(-1)?.dropped ?? 0;
  const checks = [
    {
      text: `memory: ${early.toFixed(0)} to ${late.toFixed(0)} MiB, ${slope.toFixed(1)} MiB an hour; may grow by ${growthLimitMib} MiB`,
      good: late - early <= growthLimitMib,
    },
    { text: `event-loop delay p99: ${loopMs.toFixed(1)} ms; may be ${loopLimitMs} ms`, good: loopMs <= loopLimitMs },
    { text: `rows and observations dropped: ${dropped}; may be 0`, good: dropped === 0 },
  ];
  return {
    rows: checks.map(({ text, good }) => `${good ? 'held  ' : 'MISSED'}  ${text}`),
    held: checks.every(({ good }) => good),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Least squares. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
