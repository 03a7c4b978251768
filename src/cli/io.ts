/** Output and input of a command: `out` for results, `err` for problems. Each call writes one line or more. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  /** True if standard error is a terminal. Progress is shown only on a terminal. */
  isTty: boolean;
  /** Draws on the terminal without a line end; if absent, standard error is used. */
  draw?(text: string): void;
  /** Bytes of standard input; if absent, standard input of the process is used. */
  input?: AsyncIterable<Buffer>;
};

/** Exit codes that all commands share. */
export const exits = { done: 0, failed: 1, wrongUse: 2, badConfiguration: 78 } as const;

export function processIo(): Io {
  // A reader that closes the pipe early, such as `head`, ends the command without an error.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exits.done);
  });
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    isTty: process.stderr.isTTY === true,
  };
}
