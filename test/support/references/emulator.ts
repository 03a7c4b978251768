/** Command that runs programs of another processor, by words; empty where tests run on their own one. */
export const emulator: readonly string[] = (process.env.DUNLIN_EMULATOR ?? '').split(' ').filter((word) => word !== '');
