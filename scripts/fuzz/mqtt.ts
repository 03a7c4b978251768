/**
 * Throws damaged publishes at the codec of brokers, and damaged streams at the limit of packets:
 * `node --expose-gc build/scripts/fuzz/mqtt.js [--inputs N] [--seed S]`. It ends with exit code 1 and the input that broke a
 * promise. Nothing throws, each publish gives messages or rejects, every value is in its range, and memory stays flat.
 */
import { parseArgs } from 'node:util';
import { PacketLimit } from '../../src/edge/link/mqtt/packet_limit.ts';
import { createMqttCodec } from '../../src/edge/wire/mqtt/codec.ts';
import type { BrokerMessage } from '../../src/edge/wire/mqtt/message.ts';
import { writePublish } from '../../src/edge/wire/mqtt/publish.ts';
import { droneScoutJson, uasData } from '../../test/support/links/dronescout.ts';
import { damage, damaged } from './damage.ts';
import { createRandom, type Random } from './lines/random.ts';

export type FuzzResult = { inputs: number; messages: number; refused: number };

const location = { lat: 47.2, lon: 8.73, altGeoM: 655.5 };
const operator = { lat: 47.19, lon: 8.72 };
const scout = droneScoutJson(uasData({ serial: 'FUZZ0001', location, operator, operatorId: 'OP' }), 1_772_625_600_000);
const line =
  'MSG,3,1,1,3C6444,1,2031/02/03,04:05:06.200,2031/02/03,04:05:06.200,CALL1,12000,250,90,50.1,8.5,-640,7700,0,-1,0,0';

/** Publishes that decode: what the damage begins with. */
const good: readonly (readonly [topic: string, payload: string])[] = [
  ['ds', `${scout}${scout}\n\0`],
  ['ds', '{"protocol":1.0,"location":{"sensor ID":"a","timestamp":1,"latitude":1,"longitude":2,"altitude MSL":3}}'],
  ['ds', JSON.stringify({ protocol: 1, aircraft: { 'sensor ID': 'a', timestamp: 1, SBS: line } })],
  [
    'kit/drones',
    '{"id":"drone-FUZZ0002","id_type":"Serial Number (ANSI/CTA-2063-A)","mac":"02:00:5e:10:00:01","lat":47.2,"lon":8.7,"alt":655.5,"speed":8,"direction":93,"pilot_lat":47.1,"pilot_lon":8.6,"gps_accuracy":10.0,"observed_at":1772625600.25,"rssi":-71.0,"freq_mhz":2437.0,"transport":"WiFi-Beacon","seen_by":"kit"}',
  ],
  ['kit/aircraft', '{"icao":"4B1A2C","lat":47.2,"lon":8.7,"alt":2500.0,"speed":90.0,"track":60.0,"seen_by":"kit"}'],
  ['kit/signals', '{"signal_type":"fpv","center_hz":5800000000,"bandwidth_hz":6000000,"rssi":-60,"seen_by":"kit"}'],
  ['kit/system/attrs', '{"id":"kit","latitude":47.2,"longitude":8.7,"hae":500.5,"uptime_s":5,"updated":1772625600}'],
  ['kit/service/kit/availability', 'offline'],
];

/** Runs `inputs` damaged publishes. Throws with the input where a promise does not hold. */
export function fuzzMqtt(inputs: number, seed: number, onEach: (done: number) => void = () => {}): FuzzResult {
  const random = createRandom(seed);
  const result: FuzzResult = { inputs: 0, messages: 0, refused: 0 };
  const codec = createMqttCodec();
  const count = (): number => Object.values(codec.rejects).reduce((sum, more) => sum + more, 0);
  for (; result.inputs < inputs; result.inputs++) {
    const input = nextInput(random);
    const before = codec.messages + count();
    const taken: BrokerMessage[] = [];
    codec.decode(input, '', result.inputs, (message) => taken.push(message));
    const faults = taken.map(faultOf).filter((fault) => fault !== null);
    if (input.length > 0 && codec.messages + count() === before) faults.push('neither a message nor a reject');
    faults.push(...faultsOfLimit(input, random));
    if (faults[0] !== undefined)
      throw new Error(`${faults[0]}; seed ${seed}, input ${result.inputs}, hex ${input.toString('hex')}`);
    result.messages += taken.length;
    onEach(result.inputs);
  }
  result.refused = count();
  return result;
}

/** A publish whose payload, or whose packet, is damaged. */
function nextInput(random: Random): Buffer {
  const [topic, text] = good[random.below(good.length)] ?? ['', ''];
  const retain = random.below(2) === 0;
  if (random.below(3) === 0) return damage(writePublish({ topic, payload: Buffer.from(text), retain, qos: 0 }), random);
  let payload: Buffer = Buffer.from(text);
  if (random.below(3) === 0) payload = Buffer.from(withOtherNumber(text, random));
  return writePublish({ topic, payload: damaged(payload, random, random.below(4)), retain, qos: 0 });
}

const numbers = ['-1e999', '1e999', 'null', '-0', '65531', '1e-320', '"1"', '[]', '{}', 'true', '99999999999999999999'];

function withOtherNumber(text: string, random: Random): string {
  const found = [...text.matchAll(/:-?\d[\d.]*/g)];
  const one = found[random.below(Math.max(1, found.length))];
  if (one === undefined) return text;
  const other = numbers[random.below(numbers.length)] ?? '0';
  return `${text.slice(0, one.index + 1)}${other}${text.slice(one.index + one[0].length)}`;
}

function isWithin(value: number | null, least: number, most: number): boolean {
  return value === null || (value >= least && value <= most);
}

function faultOf(message: BrokerMessage): string | null {
  if (message.kind === 'offline') return null;
  if (!isWithin(message.sourceMs, 0, 8.64e15)) return `time ${message.sourceMs}`;
  if (message.receiver !== null && !/^[\x20-\x7e]{1,60}$/.test(message.receiver)) return 'name of a receiver';
  if (message.kind === 'aircraft') {
    const { latDeg, lonDeg, altPressureM } = message.sbs;
    const isPossible = isWithin(latDeg, -90, 90) && isWithin(lonDeg, -180, 180) && isWithin(altPressureM, -700, 40_000);
    return isPossible ? null : 'an impossible aircraft';
  }
  if (message.kind === 'heartbeat') {
    const { lat, lon } = message.place ?? { lat: null, lon: null };
    return isWithin(lat, -90, 90) && isWithin(lon, -180, 180) ? null : 'an impossible place of a receiver';
  }
  if (!isWithin(message.rssiDbm, -200, -1) || !isWithin(message.centerHz, 1, 1e12)) return 'an impossible signal';
  if (message.kind === 'signal') return null;
  for (const one of message.messages) {
    if (one.type !== 'location') continue;
    const numbers = [one.latDeg, one.lonDeg, one.altGeoM, one.heightM, one.speedHMps, one.speedVMps, one.directionDeg];
    if (numbers.some((value) => value !== null && !Number.isFinite(value))) return 'a number that is none';
    if (!isWithin(one.latDeg, -90, 90) || !isWithin(one.lonDeg, -180, 180)) return 'an impossible place';
    if (!isWithin(one.directionDeg, 0, 359.999_999) || !isWithin(one.speedHMps, 0, 254.25))
      return 'an impossible motion';
  }
  return null;
}

/** The limit of packets gives the same however a stream is cut, as long as it has no fault. */
function faultsOfLimit(input: Buffer, random: Random): string[] {
  const whole = new PacketLimit().take(input);
  const limit = new PacketLimit();
  const parts: Uint8Array[] = [];
  let fault: string | null = null;
  for (let at = 0; at < input.length && fault === null; ) {
    const size = 1 + random.below(64);
    const passed = limit.take(input.subarray(at, at + size));
    parts.push(...passed.bytes);
    fault = passed.fault;
    at += size;
  }
  const isSame = fault === whole.fault && Buffer.concat(parts).equals(Buffer.concat(whole.bytes));
  return isSame ? [] : ['the limit of packets depends on the cuts'];
}

const LOOK_EVERY = 100_000;

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const [inputs, seed] = [Number(values.inputs ?? 1_000_000), Number(values.seed ?? 1)];
  const startMs = performance.now();
  const looks: string[] = [];
  const result = fuzzMqtt(inputs, seed, (done) => {
    if (done % LOOK_EVERY !== LOOK_EVERY - 1) return;
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    looks.push(((globalThis.gc === undefined ? rss : heapUsed) / 1e6).toFixed(1));
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `seed ${seed}: ${result.inputs} inputs, ${result.messages} messages, ${result.refused} refused, no fault, ${seconds} s`,
  );
  console.log(`memory in use each ${LOOK_EVERY} inputs, MB: ${looks.join(' ')}`);
}
