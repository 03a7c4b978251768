import { hciComplete } from '../../edge/wire/radio/hci_dialogue.ts';

const COMMAND = 1;
const HEADER = 4;
const READ_FEATURES = 0x2003;
/** Coded and extended advertising. */
const FEATURES = [0, 0x18, 0, 0, 0, 0, 0, 0];

/** Answers of a controller that takes every command, so that the link over which it is played stays open. */
export class HciAnswers {
  #held: Buffer = Buffer.alloc(0);

  /** Answers to the commands that end in these bytes. */
  take(bytes: Uint8Array): Buffer {
    this.#held = Buffer.concat([this.#held, bytes]);
    const answers: Buffer[] = [];
    for (;;) {
      const begin = this.#held.indexOf(COMMAND);
      this.#held = begin === -1 ? Buffer.alloc(0) : this.#held.subarray(begin);
      const end = HEADER + (this.#held[HEADER - 1] ?? 0);
      if (this.#held.length < HEADER || this.#held.length < end) return Buffer.concat(answers);
      const opcode = this.#held.readUInt16LE(1);
      this.#held = this.#held.subarray(end);
      answers.push(hciComplete(opcode, [0, ...(opcode === READ_FEATURES ? FEATURES : [])]));
    }
  }
}
