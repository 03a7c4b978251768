import { connect, type Socket } from 'node:net';
import { placeOf } from './expected.ts';
import { between, type Work } from './work.ts';

type Airliner = {
  address: string;
  beginsMs: number;
  endsMs: number;
  northM: number;
  eastM: number;
  altitudeFt: number;
};

/** An ADS-B receiver with its aircraft, as lines of BaseStation over TCP; now and then it starts again. */
export function flyAirliners(work: Work, port: number, aircraft: number): void {
  const random = work.random();
  let socket: Socket | null = null;
  let flown = 0;
  const next = (nowMs: number): Airliner => {
    const beginsMs = nowMs + between(random, 0, 40_000);
    const address = (0x4b0000 + (flown++ % 0xffff)).toString(16).toUpperCase();
    const endsMs = beginsMs + between(random, 120_000, 480_000);
    const place = { northM: between(random, -20_000, 20_000), eastM: -20_000 };
    return { address, beginsMs, endsMs, ...place, altitudeFt: between(random, 3_000, 38_000) };
  };
  const airliners = Array.from({ length: aircraft }, () => next(performance.now()));
  work.again('adsb receiver', async () => {
    socket = connect(port, '127.0.0.1');
    socket.on('error', (error) => work.failures.note('adsb socket', error.message));
    socket.resume();
    await work.pause(between(random, 240_000, 600_000));
    socket.destroy();
    socket = null;
    await work.pause(between(random, 5_000, 50_000));
  });
  work.tick(1_000, () => {
    const nowMs = performance.now();
    for (const [slot, airliner] of airliners.entries()) {
      if (nowMs > airliner.endsMs) airliners[slot] = next(nowMs);
      else if (nowMs >= airliner.beginsMs) socket?.write(linesOf(airliner, nowMs));
    }
  });
}

function linesOf({ address, beginsMs, northM, eastM, altitudeFt }: Airliner, nowMs: number): string {
  const flownS = (nowMs - beginsMs) / 1_000;
  const { lat, lon } = placeOf(northM, eastM + 100 * flownS);
  const altitude = Math.round(altitudeFt);
  return [
    `MSG,1,1,1,${address},1,,,,,SOAK${address.slice(2)},,,,,,,,,,,`,
    `MSG,3,1,1,${address},1,,,,,,${altitude},,,${lat.toFixed(5)},${lon.toFixed(5)},,,0,0,0,0`,
    `MSG,4,1,1,${address},1,,,,,,,194.4,90.0,,,0,,,,,`,
    '',
  ].join('\r\n');
}
