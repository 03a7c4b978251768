import { hciComplete } from '../../edge/wire/radio/hci_dialogue.ts';

const COMMAND = 1;
const HEADER = 4;
const READ_FEATURES = 0x2003;
/** LE features of the played controller: bits for coded PHY and extended advertising. */
const FEATURES = [0, 0x18, 0, 0, 0, 0, 0, 0];

/** Plays a Bluetooth controller that acknowledges every command, so that the link that reads the capture stays open. */
export class HciAnswers {
  #held: Buffer = Buffer.alloc(0);

  /** Takes bytes from the link. Returns the answers to the commands that are complete with these bytes. */
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
