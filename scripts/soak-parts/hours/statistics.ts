/** A straight line through points, with the half-width of the 95 % interval of its slope. */
export type Slope = { slope: number; error: number };

export type Point = { x: number; y: number };
/** A point with the hour of the box's day, 0 to 23. */
export type DayPoint = Point & { hour: number };

/** Number of blocks that a series is averaged over: enough for an error, and long against the memory of the series. */
const BLOCKS = 20;
/** Student's t of 18 degrees of freedom, 97.5 %. */
const T_OF_BLOCKS = 2.101;

/**
 * Least squares over the means of blocks of the series. Neighbouring samples are alike (garbage is collected in waves), so
 * single samples would promise too small an error. What correlation is left between neighbouring blocks widens the error by
 * the effective number of blocks, n (1 − r) / (1 + r). NaN of fewer than two samples a block.
 */
export function slopeOf(points: readonly Point[]): Slope {
  if (points.length < 2 * BLOCKS) return { slope: Number.NaN, error: Number.NaN };
  const blocks = Array.from({ length: BLOCKS }, (_, n) => {
    const part = points.slice((n * points.length) / BLOCKS, ((n + 1) * points.length) / BLOCKS);
    return middleOf(part);
  });
  const { x, y } = middleOf(blocks);
  const spread = blocks.reduce((sum, block) => sum + (block.x - x) ** 2, 0);
  const slope = blocks.reduce((sum, block) => sum + (block.x - x) * (block.y - y), 0) / spread;
  const residuals = blocks.map((block) => block.y - y - slope * (block.x - x));
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0);
  const lagged = residuals.slice(1).reduce((sum, residual, n) => sum + residual * (residuals[n] ?? 0), 0);
  // The estimate from few residuals of a line is too low, by about (2 + 4 r) / n.
  const estimate = (lagged / squares + 2 / BLOCKS) / (1 - 4 / BLOCKS);
  const r = squares === 0 ? 0 : Math.min(0.9, Math.max(0, estimate));
  const deviation = Math.sqrt(squares / (BLOCKS - 2) / spread);
  return { slope, error: T_OF_BLOCKS * deviation * Math.sqrt((1 + r) / (1 - r)) };
}

/**
 * Slope of a series that follows the hour of the box's day, as resident memory does: it rises and falls with the data on
 * disk. Without the mean effect of each hour, the wave of a day neither hides a leak nor looks like one.
 */
export function slopeOverDays(points: readonly DayPoint[]): Slope {
  const hours = new Map<number, DayPoint[]>();
  for (const point of points) hours.set(point.hour, [...(hours.get(point.hour) ?? []), point]);
  const groups = [...hours.values()].map((at) => ({ at, middle: middleOf(at) }));
  let [products, spread] = [0, 0];
  for (const { at, middle } of groups)
    for (const { x, y } of at) {
      products += (x - middle.x) * (y - middle.y);
      spread += (x - middle.x) ** 2;
    }
  const trend = products / spread;
  const level = groups.flatMap(({ at, middle }) => at.map(({ x, y }) => ({ x, y: y - middle.y + trend * middle.x })));
  const { slope, error } = slopeOf(level.sort((a, b) => a.x - b.x));
  // Each further hour takes a degree of freedom.
  return { slope, error: error * Math.sqrt((BLOCKS - 2) / (BLOCKS - 1 - groups.length)) };
}

function middleOf(points: readonly Point[]): Point {
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}

/** Slope of several independent series, each weighted by its precision. The errors are independent too. */
export function pooled(slopes: readonly Slope[]): Slope {
  const weights = slopes.map(({ error }) => error ** -2);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const slope = slopes.reduce((sum, one, n) => sum + one.slope * (weights[n] ?? 0), 0) / total;
  return { slope, error: total ** -0.5 };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
