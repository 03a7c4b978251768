/**
 * Runs all steps, also after one of them has failed. Then throws what the first failed step threw. A disk that refuses
 * the write of one step thus does not keep the others from their work.
 */
export function runAll(steps: readonly (() => void)[]): void {
  const failed: unknown[] = [];
  for (const step of steps) {
    try {
      step();
    } catch (thrown) {
      failed.push(thrown);
    }
  }
  if (failed.length > 0) throw failed[0];
}
