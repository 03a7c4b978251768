import { cpuUsage } from 'node:process';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import { referenceTrackerOf } from '../../test/support/references/tracker/tracker_of_sky.ts';
import { DETECTION } from '../../test/support/sky/radar.ts';
import { RadarSky } from '../../test/support/sky/radar_sky.ts';
import { median, type Row } from './row.ts';
import { TrackerFloor } from './tracker_floor.ts';
import { TrackerRun } from './tracker_run.ts';
import { slotsFor } from './tracker_setup.ts';

/** Seconds that settle the tracks, and seconds that are measured. */
const WARM_S = 10;
const RUN_S = 15;
const RUNS: readonly { aircraft: number; runs: number }[] = [
  { aircraft: 100, runs: 9 },
  { aircraft: 1_000, runs: 5 },
  { aircraft: 10_000, runs: 5 },
];
const MIXED_RUNS = 3;
const MOST = 10_000;
const TARGET_NS = 700;
const TARGET_FLOORS = 3;
const FIXES_PER_PLOT = 0.8;

/** CPU time of a report, from packed rows to the rows of the tracks that it moved. */
export async function benchTrackerSpeed(): Promise<Row[]> {
  const floor = await TrackerFloor.build();
  try {
    return [...RUNS.flatMap((sky) => plotsOnly(sky, floor)), ...mixed()];
  } finally {
    floor.remove();
  }
}

function plotsOnly({ aircraft, runs }: (typeof RUNS)[number], floor: TrackerFloor): Row[] {
  const [whole, loop, reference, least, refused]: number[][] = [[], [], [], [], []];
  // Turn about, so that what else the machine does falls on all alike.
  for (let run = 0; run < runs; run++) {
    const sky = new RadarSky({ aircraft, seed: run + 1 });
    const seconds = secondsOf(sky);
    const told = nativeCost(sky, seconds, aircraft, (s) => sky.arrivalS(s));
    whole?.push(told.ns);
    refused?.push(told.refusedPercent);
    loop?.push(nativeCost(sky, seconds, aircraft, () => Number.NaN).ns);
    reference?.push(referenceCost(sky, seconds, aircraft));
    least?.push(floor.cost(seconds, WARM_S));
  }
  const among = `a plot among ${aircraft} aircraft`;
  const target = aircraft === MOST ? { target: { atMost: TARGET_NS } } : {};
  const floors = aircraft === MOST ? { target: { atMost: TARGET_FLOORS } } : {};
  const loopNs = median(loop ?? []);
  const referenceNs = median(reference ?? []);
  const leastNs = median(least ?? []);
  return [
    { name: `${among}, tracks told`, value: median(whole ?? []), unit: 'ns', ...target },
    { name: `${among}, tracks not told`, value: loopNs, unit: 'ns' },
    { name: `${among}, reference tracker, not published`, value: referenceNs, unit: 'ns' },
    { name: `${among}, floor: one model, nothing kept`, value: leastNs, unit: 'ns' },
    { name: `${among}, native to floor`, value: loopNs / leastNs, unit: 'times', ...floors },
    { name: `${among}, reference to native`, value: referenceNs / loopNs, unit: 'times' },
    ...turnedAway(among, median(refused ?? [])),
  ];
}

function mixed(): Row[] {
  const speakers = FIXES_PER_PLOT * MOST;
  const costs = Array.from({ length: MIXED_RUNS }, (_, run) => {
    const fixesPerS = FIXES_PER_PLOT * DETECTION * MOST;
    const sky = new RadarSky({ aircraft: MOST, seed: run + 1, speakers, fixesPerS });
    return nativeCost(sky, secondsOf(sky), MOST, (s) => sky.arrivalS(s));
  });
  const among = `a plot or late fix among ${MOST} aircraft of which ${speakers} speak`;
  const ns = median(costs.map((cost) => cost.ns));
  return [
    { name: `${among}, tracks told`, value: ns, unit: 'ns', target: { atMost: TARGET_NS } },
    ...turnedAway(among, median(costs.map((cost) => cost.refusedPercent))),
  ];
}

/** Reports that there is no room for cost nothing and are not counted among those that were measured. */
function turnedAway(among: string, percent: number): Row[] {
  return percent === 0 ? [] : [{ name: `${among}, turned away`, value: percent, unit: '%' }];
}

function secondsOf(sky: RadarSky): Float64Array[] {
  return Array.from({ length: WARM_S + RUN_S }, (_, s) => sky.second(s));
}

/** Nanoseconds for each report that was taken; `nowAt` says as of when the tracks are told after second `s`. */
function nativeCost(sky: RadarSky, seconds: readonly Float64Array[], aircraft: number, nowAt: (s: number) => number) {
  const run = new TrackerRun(sky, slotsFor(aircraft));
  const us = cpuMicroseconds(seconds, (rows, s) => {
    if (s === WARM_S) run.taken = run.refused = 0;
    run.step(rows, nowAt(s));
  });
  return { ns: (us * 1_000) / run.taken, refusedPercent: (run.refused / (run.taken + run.refused)) * 100 };
}

function referenceCost(sky: RadarSky, seconds: readonly Float64Array[], aircraft: number): number {
  const reference = referenceTrackerOf(sky, slotsFor(aircraft));
  const us = cpuMicroseconds(seconds, (rows) => reference.scan(rows));
  const plots = seconds.slice(WARM_S).reduce((sum, rows) => sum + rows.length / OBSERVED.width - 1, 0);
  return (us * 1_000) / plots;
}

function cpuMicroseconds(seconds: readonly Float64Array[], take: (rows: Float64Array, s: number) => void): number {
  let began = cpuUsage();
  seconds.forEach((rows, s) => {
    if (s === WARM_S) began = cpuUsage();
    take(rows, s);
  });
  const { user, system } = cpuUsage(began);
  return user + system;
}
