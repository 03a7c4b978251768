/**
 * Runs `work` with the abort signal `given`, or with a new one that SIGINT or SIGTERM aborts. A second SIGINT or a
 * second SIGTERM ends the process. The new signal is aborted at the end too, so that nothing started by `work` goes on.
 */
export async function withInterrupt<T>(
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return work(given);
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    interrupt.abort();
  }
}
