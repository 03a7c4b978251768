/** Output of a command: `out` for results, `err` for problems. Each call writes one line or more. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  /** True on a terminal: progress is shown only then. */
  isTty: boolean;
  /** Draws on the terminal without a line end; standard error where absent. */
  draw?(text: string): void;
  /** Bytes of standard input; that of the process where absent. */
  input?: AsyncIterable<Buffer>;
};

/** Exit codes of every command. */
export const exits = { done: 0, failed: 1, wrongUse: 2, badConfiguration: 78 } as const;

export function processIo(): Io {
  // A reader that closes early, as `head` does, ends the output without an error.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exits.done);
  });
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    isTty: process.stderr.isTTY === true,
  };
}
