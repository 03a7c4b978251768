import { type Fields, type Heard, numberOf } from './messages.ts';

export type MissionItem = {
  seq: number;
  frame: number;
  command: number;
  p: [number, number, number, number];
  lat: number;
  lon: number;
  alt: number;
};

const ACCEPTED = 0;
const INVALID_SEQUENCE = 13;
const CANCELLED = 15;
const ASK_AGAIN_S = 1;
const GIVE_UP_S = 8;

type Upload = {
  count: number;
  items: MissionItem[];
  from: { sysid: number; compid: number };
  askedS: number;
  begunS: number;
};

/** The mission protocol's vehicle side: it asks for the items of an upload one by one, and again when none comes. */
export class MissionStore {
  items: MissionItem[] = [];
  current = 0;
  /** Set while a mission is flown, by the pilot that flies it. */
  onSetCurrent: (seq: number) => void = () => {};
  #upload: Upload | null = null;
  readonly #send: (name: string, fields: Fields) => void;
  readonly #now: () => number;

  constructor(send: (name: string, fields: Fields) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  take(heard: Heard): void {
    const { fields } = heard;
    if (numberOf(fields, 'mission_type') > 0) {
      this.#acknowledge(heard, 3);
      return;
    }
    const seq = numberOf(fields, 'seq');
    if (heard.name === 'MISSION_COUNT') this.#begin(heard);
    else if (heard.name === 'MISSION_ITEM_INT') this.#item(heard, 1e7);
    else if (heard.name === 'MISSION_ITEM') this.#item(heard, 1);
    else if (heard.name === 'MISSION_CLEAR_ALL') this.#clear(heard);
    else if (heard.name === 'MISSION_REQUEST_LIST') {
      this.#send('MISSION_COUNT', { ...to(heard), count: this.items.length });
    } else if (heard.name.startsWith('MISSION_REQUEST')) this.#give(heard, seq);
    else if (heard.name === 'MISSION_SET_CURRENT') {
      this.current = seq;
      this.onSetCurrent(seq);
      this.#send('MISSION_CURRENT', { seq, total: this.items.length });
    }
  }

  step(): void {
    const upload = this.#upload;
    if (upload === null) return;
    const now = this.#now();
    if (now - upload.begunS > GIVE_UP_S) {
      this.#upload = null;
      this.#send('MISSION_ACK', { ...address(upload.from), type: CANCELLED });
    } else if (now - upload.askedS > ASK_AGAIN_S) this.#ask(upload);
  }

  reached(seq: number): void {
    this.#send('MISSION_ITEM_REACHED', { seq });
  }

  #clear(heard: Heard): void {
    this.items = [];
    this.current = 0;
    this.#acknowledge(heard, ACCEPTED);
  }

  #begin(heard: Heard): void {
    const count = numberOf(heard.fields, 'count');
    const { sysid, compid } = heard;
    const now = this.#now();
    this.#upload = { count, items: [], from: { sysid, compid }, askedS: now, begunS: now };
    if (count === 0) this.#finish(this.#upload);
    else this.#ask(this.#upload);
  }

  #ask(upload: Upload): void {
    upload.askedS = this.#now();
    this.#send('MISSION_REQUEST_INT', { ...address(upload.from), seq: upload.items.length });
  }

  #item(heard: Heard, scale: number): void {
    const upload = this.#upload;
    const { fields } = heard;
    const seq = numberOf(fields, 'seq');
    if (upload === null || seq !== upload.items.length) {
      // One that came twice is no mistake.
      if (upload === null || seq > upload.items.length) this.#acknowledge(heard, INVALID_SEQUENCE);
      return;
    }
    upload.begunS = this.#now();
    upload.items.push({
      seq,
      frame: numberOf(fields, 'frame'),
      command: numberOf(fields, 'command'),
      p: [
        numberOf(fields, 'param1'),
        numberOf(fields, 'param2'),
        numberOf(fields, 'param3'),
        numberOf(fields, 'param4'),
      ],
      lat: numberOf(fields, 'x') / scale,
      lon: numberOf(fields, 'y') / scale,
      alt: numberOf(fields, 'z'),
    });
    if (upload.items.length === upload.count) this.#finish(upload);
    else this.#ask(upload);
  }

  #finish(upload: Upload): void {
    this.items = upload.items;
    this.current = 0;
    this.#upload = null;
    this.#send('MISSION_ACK', { ...address(upload.from), type: ACCEPTED });
  }

  #give(heard: Heard, wanted: number): void {
    const item = this.items[wanted];
    if (item === undefined) {
      this.#acknowledge(heard, INVALID_SEQUENCE);
      return;
    }
    const [param1, param2, param3, param4] = item.p;
    const { seq, frame, command, lat, lon, alt } = item;
    const place = { x: Math.round(lat * 1e7), y: Math.round(lon * 1e7), z: alt };
    const params = { param1, param2, param3, param4 };
    this.#send('MISSION_ITEM_INT', { ...to(heard), seq, frame, command, ...params, ...place, autocontinue: 1 });
  }

  #acknowledge(heard: Heard, type: number): void {
    this.#send('MISSION_ACK', { ...to(heard), type });
  }
}

function to(heard: Heard): Fields {
  return address(heard);
}

function address({ sysid, compid }: { sysid: number; compid: number }): Fields {
  return { target_system: sysid, target_component: compid };
}
