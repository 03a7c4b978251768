import type { Lineage, ObjectRef } from '../../../model/observation.ts';
import type { DetectionReport, Registration } from '../../wire/sapient/message.ts';
import { visible } from '../../wire/sapient/visible.ts';
import type { Reporter } from './observation.ts';

/** Greatest number of objects that a track is derived from, and of nodes that a fusion node depends on. */
const MOST_SOURCES = 16;
const MOST_NODES = 64;
const MOST_ID = 120;
/** Length of a node id. The id of a dependent node is free text in SAPIENT. */
const MOST_NODE_ID = 36;

/** Origin of a fusion node's report: its own object, and the first `MOST_SOURCES` objects that it is derived from. */
export function lineageOf(report: DetectionReport, { nodeId, sensorId, mode }: Reporter): Lineage {
  const { object_id, id, derived_detection = [] } = report;
  const sources = new Map<string, ObjectRef>();
  for (const { node_id, object_id: objectId } of derived_detection) {
    if (sources.size >= MOST_SOURCES) break;
    sources.set(`${node_id} ${objectId}`, { nodeId: node_id, objectId });
  }
  // In one order, so that a node that lists them in another one makes no news.
  const derivedFrom = [...sources.keys()].sort().flatMap((key) => sources.get(key) ?? []);
  return {
    sensorId,
    nodeId,
    objectId: mode.tracks ? object_id : null,
    identity: visible(id, MOST_ID) || null,
    derivedFrom,
  };
}

/** Ids of the nodes that a fusion node says it depends on, each once. */
export function dependentNodesOf({ dependent_nodes = [] }: Registration): string[] {
  const ids = new Set<string>();
  for (const id of dependent_nodes) {
    if (ids.size >= MOST_NODES) break;
    const shown = visible(id, MOST_NODE_ID);
    if (shown !== '') ids.add(shown);
  }
  return [...ids];
}

/** Whether a report is derived from a node's own objects. */
export function isDerivedFrom({ derived_detection = [] }: DetectionReport, nodeId: string): boolean {
  return derived_detection.some(({ node_id }) => node_id === nodeId);
}

/** Whether a node depends on another: what it reports may be that node's own. */
export function dependsOn({ dependent_nodes = [] }: Registration, nodeId: string): boolean {
  return dependent_nodes.some((id) => id.trim().toLowerCase() === nodeId);
}
