import type { CatalogModel } from '../../model/catalog.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { checkActors } from './check/actors.ts';
import { checkExpectations } from './check/expectations.ts';
import { checkFlight } from './check/flight.ts';
import { checkIds } from './check/ids.ts';
import { checkLoad } from './check/load.ts';
import { checkOrders } from './check/orders.ts';
import { checkSensors } from './check/sensors.ts';
import { checkWays } from './check/ways.ts';
import { checkZones } from './check/zones.ts';
import type { Finding } from './fault.ts';

/** Dependencies of the checks besides the scenario. */
export type ScenarioDeps = {
  /** The model of that name, undefined where there is none; throws `conflict` where the name is of several. */
  catalog(name: string): CatalogModel | undefined;
};

/** Contradictions in a scenario that fits its schema. Never throws. */
export function checkScenario(spec: ScenarioSpec, deps: ScenarioDeps): Finding[] {
  return [
    ...checkIds(spec),
    ...checkActors(spec),
    ...checkFlight(spec, deps),
    ...checkWays(spec),
    ...checkSensors(spec),
    ...checkLoad(spec),
    ...checkZones(spec),
    ...checkOrders(spec),
    ...checkExpectations(spec),
  ];
}
