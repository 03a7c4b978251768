/** Command that runs programs of another processor, by words; empty where tests run on their own one. */
export const emulator: readonly string[] = (process.env.DUNLIN_EMULATOR ?? '').split(' ').filter((word) => word !== '');

/** Time for a test that compiles or computes at length, ms; an emulator takes many times as long. */
export const LONG_MS = emulator.length === 0 ? 300_000 : 3_600_000;
