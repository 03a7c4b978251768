/**
 * Stands in for zod in the bundles of threads. A thread receives values that the main thread has parsed, but shares modules
 * of the model that also declare schemas. Without zod the core's thread starts with 60 ms less CPU time and 3 MB less memory.
 */
const nothing: object = new Proxy(() => nothing, {
  get: (_, key) => {
    if (key === 'parse' || key === 'safeParse')
      throw new Error('A thread parses nothing: zod is left out of its bundle.');
    return typeof key === 'symbol' ? undefined : nothing;
  },
});

export { nothing as z };
