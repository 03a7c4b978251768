import type { Phy } from '../../../model/link.ts';
import type { RadioCondition } from './condition.ts';
import { ANSWER_LIMIT_MS, type Dialogue, type Step, waiting } from './dialogue.ts';
import { sniffleCommand } from './sniffle_line.ts';

/** Time after which an unanswered set-up is sent again, ms. */
const REPEAT_MS = 2_000;
/** Silence after which a dongle is asked for a sign of life, ms. */
const QUIET_MS = 5_000;
/** Least time between two set-ups of a dongle that receives nothing, ms. */
const AGAIN_MS = 60_000;
/** Number of consecutive packets of another layer after which the dongle counts as having lost its set-up. */
const OTHERS_TO_RENEW = 20;

/**
 * Physical layers by their number in Sniffle messages. A dongle set to both layers alternates between them and listens
 * on each for `turnMs`, ms.
 */
const layers = { '1m': 0, coded: 2 } as const;
type Layer = keyof typeof layers;
const turnMs: Readonly<Record<Layer, number>> = { coded: 2_000, '1m': 1_000 };

const commands = {
  channel: 0x10,
  pauseWhenDone: 0x11,
  leastRssi: 0x12,
  addressFilter: 0x13,
  follow: 0x15,
  auxiliary: 0x16,
  marker: 0x18,
  version: 0x24,
  checkCrc: 0x26,
} as const;

const ADVERTISING_CHANNEL = 37;
/** Access address and CRC preset of advertising, least byte first. */
const ACCESS_ADDRESS = [0xd6, 0xbe, 0x89, 0x8e];
const CRC_INIT = [0x55, 0x55, 0x55, 0x00];
const LEAST_RSSI = 0x80;
const MARK = 0x40;

const marker = sniffleCommand(commands.marker, MARK);

function listenOn(layer: Layer): Buffer {
  const at = [ADVERTISING_CHANNEL, ...ACCESS_ADDRESS, layers[layer], ...CRC_INIT];
  return sniffleCommand(commands.channel, ...at);
}

function setUp(layer: Layer): Buffer {
  return Buffer.concat([
    marker,
    listenOn(layer),
    sniffleCommand(commands.pauseWhenDone, 0),
    sniffleCommand(commands.leastRssi, LEAST_RSSI),
    sniffleCommand(commands.addressFilter),
    sniffleCommand(commands.follow, 0),
    sniffleCommand(commands.auxiliary, 1),
    sniffleCommand(commands.checkCrc, 1),
    sniffleCommand(commands.version),
  ]);
}

/**
 * Sets a Sniffle dongle up for advertising channel 37 and its secondary channels. The dongle does not answer single
 * commands, so any well-formed line counts as a sign of life.
 */
export class SniffleDialogue implements Dialogue {
  readonly #radio: RadioCondition;
  readonly #phy: Phy;
  #layer: Layer;
  #sentMs: number | null = null;
  #askedMs: number | null = null;
  #isSetUp = false;
  #setUpMs = 0;
  #turnedMs = 0;
  #lifeMs = 0;
  #others = 0;

  constructor(radio: RadioCondition, phy: Phy) {
    this.#radio = radio;
    this.#phy = phy;
    this.#layer = phy === '1m' ? '1m' : 'coded';
  }

  begin(nowMs: number): void {
    this.#radio.closed();
    this.#renew();
    this.#lifeMs = nowMs;
  }

  /** Notes a well-formed line. */
  alive(atMs: number): void {
    this.#lifeMs = atMs;
    this.#askedMs = null;
    // Before the set-up is sent, a line cannot be an answer to it.
    if (this.#isSetUp || this.#sentMs === null) return;
    this.#isSetUp = true;
    this.#setUpMs = atMs;
    this.#turnedMs = atMs;
    this.#sentMs = null;
    this.#radio.listening(atMs);
  }

  /**
   * Notes the physical layer of a packet. After a restart a dongle may listen on the wrong layer. After
   * `OTHERS_TO_RENEW` consecutive packets of a wrong layer it is set up again. Not checked while the dongle alternates
   * between layers.
   */
  notePacket(channel: number, layer: number): void {
    if (!this.#isSetUp || this.#phy === 'both' || channel !== ADVERTISING_CHANNEL) return;
    this.#others = layer === layers[this.#layer] ? 0 : this.#others + 1;
    if (this.#others >= OTHERS_TO_RENEW) this.#renew();
  }

  step(nowMs: number): Step {
    if (!this.#isSetUp) return this.#insist(setUp(this.#layer), nowMs);
    if (this.#radio.isDeaf(nowMs) && nowMs - this.#setUpMs >= AGAIN_MS) {
      this.#renew();
      return this.step(nowMs);
    }
    const turnAtMs = this.#phy === 'both' ? this.#turnedMs + turnMs[this.#layer] : Number.POSITIVE_INFINITY;
    if (nowMs >= turnAtMs) {
      this.#layer = this.#layer === 'coded' ? '1m' : 'coded';
      this.#turnedMs = nowMs;
      return { send: listenOn(this.#layer), againMs: nowMs + turnMs[this.#layer], failure: null };
    }
    const quietAtMs = this.#lifeMs + QUIET_MS;
    if (nowMs < quietAtMs) return waiting(Math.min(quietAtMs, turnAtMs));
    const step = this.#insist(marker, nowMs);
    return { ...step, againMs: step.againMs === null ? null : Math.min(step.againMs, turnAtMs) };
  }

  #renew(): void {
    this.#isSetUp = false;
    this.#sentMs = null;
    this.#askedMs = null;
    this.#others = 0;
  }

  #insist(bytes: Buffer, nowMs: number): Step {
    this.#askedMs ??= nowMs;
    const limitMs = this.#askedMs + ANSWER_LIMIT_MS;
    if (nowMs >= limitMs) {
      const failure = `the dongle has sent no valid Sniffle line for ${ANSWER_LIMIT_MS / 1_000} s: check its firmware and the baud rate (2000000; 921600 behind a CP2102)`;
      return { send: null, againMs: null, failure };
    }
    const isDue = this.#sentMs === null || nowMs - this.#sentMs >= REPEAT_MS;
    if (isDue) this.#sentMs = nowMs;
    return {
      send: isDue ? bytes : null,
      againMs: Math.min((this.#sentMs ?? nowMs) + REPEAT_MS, limitMs),
      failure: null,
    };
  }
}
