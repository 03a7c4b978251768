/**
 * Runs `work` with the given signal, or with a signal that SIGINT or SIGTERM aborts. The same signal again ends the
 * process. The own signal is aborted at the end too, so that nothing that `work` started goes on.
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
