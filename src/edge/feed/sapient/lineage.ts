import type { Lineage, ObjectRef } from '../../../model/observation.ts';
import type { DetectionReport, Registration } from '../../wire/sapient/message.ts';
import { visible } from '../../wire/sapient/visible.ts';
import type { Reporter } from './observation.ts';

/** Greatest number of source objects of a track, and of nodes on which a fusion node depends. */
const MOST_SOURCES = 16;
const MOST_NODES = 64;
const MOST_ID = 120;
/**
 * Length of a node id (a UUID), characters. A limit is needed because the id of a dependent node is free text in
 * SAPIENT.
 */
const MOST_NODE_ID = 36;

/**
 * Returns the origin of a fusion node's report: the node's own object (null if the node does not track objects), and
 * the first `MOST_SOURCES` objects from which it is derived.
 */
export function lineageOf(report: DetectionReport, { nodeId, sensorId, mode }: Reporter): Lineage {
  const { object_id, id, derived_detection = [] } = report;
  const sources = new Map<string, ObjectRef>();
  for (const { node_id, object_id: objectId } of derived_detection) {
    if (sources.size >= MOST_SOURCES) break;
    sources.set(`${node_id} ${objectId}`, { nodeId: node_id, objectId });
  }
  // Sorted, so that the same objects in another order do not count as a change.
  const derivedFrom = [...sources.keys()].sort().flatMap((key) => sources.get(key) ?? []);
  return {
    sensorId,
    nodeId,
    objectId: mode.tracks ? object_id : null,
    identity: visible(id, MOST_ID) || null,
    derivedFrom,
  };
}

/** Returns the ids of the first `MOST_NODES` nodes on which a fusion node depends, without duplicates. */
export function dependentNodesOf({ dependent_nodes = [] }: Registration): string[] {
  const ids = new Set<string>();
  for (const id of dependent_nodes) {
    if (ids.size >= MOST_NODES) break;
    const shown = visible(id, MOST_NODE_ID);
    if (shown !== '') ids.add(shown);
  }
  return [...ids];
}

/** True if a report is derived from objects of the node `nodeId`. */
export function isDerivedFrom({ derived_detection = [] }: DetectionReport, nodeId: string): boolean {
  return derived_detection.some(({ node_id }) => node_id === nodeId);
}

/** True if the registered node depends on the node `nodeId`. It may then report the objects of that node. */
export function dependsOn({ dependent_nodes = [] }: Registration, nodeId: string): boolean {
  return dependent_nodes.some((id) => id.trim().toLowerCase() === nodeId);
}
