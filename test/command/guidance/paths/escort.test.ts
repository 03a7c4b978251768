import t from 'tap';
import { escortStep } from '../../../../src/command/guidance/paths/escort.ts';
import type { Spot } from '../../../../src/geo/position.ts';
import { fly, type Ground, type Mass, spotOn, VIENNA, vehicleFor } from '../../../support/fleet/guided.ts';

const DT_S = 0.1;
const speeds = { cruiseMps: 12, maxMps: 20, minMps: 0 };

for (const ground of [
  VIENNA,
  { latDeg: 10, lonDeg: 180, turnDeg: 0 },
  { latDeg: 80, lonDeg: 10, turnDeg: 0 },
] as Ground[]) {
  t.test(
    `what escorts comes to its station and stays there, never over what it escorts, at ${ground.latDeg} ${ground.lonDeg}`,
    async (t) => {
      for (const speed of [0, 8]) {
        const own: Mass = { at: [0, 0], velocity: [0, speed] };
        const vehicle: Mass = { at: [-250, 3], velocity: [0, 0] };
        let [least, off] = [Number.POSITIVE_INFINITY, 0];
        let to: Spot = vehicle.at;
        let step = null as ReturnType<typeof escortStep> | null;
        for (let i = 0; i < 120 / DT_S; i++) {
          if (i % 10 === 0) {
            const { position, velocity } = vehicleFor(ground, own, speeds);
            step = escortStep(
              vehicleFor(ground, vehicle, speeds),
              { position, velocity },
              { standoffM: 60, bearingDeg: 90 },
            );
            to = spotOn(ground, step.point);
          }
          if (step) fly(vehicle, step, to, speeds, DT_S);
          own.at = [own.at[0], own.at[1] + speed * DT_S];
          least = Math.min(least, Math.hypot(vehicle.at[0] - own.at[0], vehicle.at[1] - own.at[1]));
          if (i * DT_S > 90) off = Math.max(off, Math.hypot(vehicle.at[0] - own.at[0] - 60, vehicle.at[1] - own.at[1]));
        }
        t.ok(least >= 30, `${least} m from it`);
        t.ok(off < 15, `${off} m off its station`);
        t.equal(step?.phase, 'on_station');
      }
    },
  );
}

t.test('what is too near to what it escorts goes away from it first', async (t) => {
  const { position, velocity } = vehicleFor(VIENNA, { at: [0, 0], velocity: [0, 0] }, speeds);
  const step = escortStep(
    vehicleFor(VIENNA, { at: [10, 0], velocity: [0, 0] }, speeds),
    { position, velocity },
    { standoffM: 60, bearingDeg: 270 },
  );
  t.match(step, { phase: 'giving_way', speedMps: 20 });
  t.ok(spotOn(VIENNA, step.point)[0] > 50);
});
