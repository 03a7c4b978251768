import t from 'tap';
import { sampleEngagement } from '../../src/http/openapi/engagement_samples.ts';
import { sampleCommand, sampleTask } from '../../src/http/openapi/fleet_samples.ts';
import { commandRows } from '../../src/store/commands.ts';
import { engagementRows } from '../../src/store/engagements.ts';
import { taskRows } from '../../src/store/tasks.ts';
import { openRegistry } from '../support/registry/registry.ts';

t.test('rows of a release that stored no provenance are live, and what stored one keeps it', async (t) => {
  const { state, workspaceId } = openRegistry(t);
  const rows = { commands: commandRows(state), tasks: taskRows(state), engagements: engagementRows(state) };
  const engagement = { ...sampleEngagement, tasks: [sampleTask] };
  const read = () => {
    const [open] = rows.engagements.open(workspaceId);
    const found = [
      ...[rows.commands.get(workspaceId, sampleCommand.command_id), rows.tasks.get(workspaceId, sampleTask.id)],
      ...[...rows.commands.running(workspaceId), ...rows.tasks.list(workspaceId, 10)],
      ...rows.commands.ofAsset(workspaceId, sampleCommand.asset_id, 10, null).rows,
      ...[open, ...(open?.tasks ?? []), ...(open?.candidates ?? [])],
    ];
    t.equal(found.length, 8);
    return [...new Set(found.map((document) => document?.provenance))];
  };
  state.write('The rows', () => {
    rows.commands.put(workspaceId, { ...sampleCommand, provenance: 'simulated' });
    rows.tasks.put(workspaceId, { ...sampleTask, provenance: 'simulated' });
    const simulated = <T>(document: T) => ({ ...document, provenance: 'simulated' as const });
    const { tasks, candidates } = engagement;
    const parts = { tasks: tasks.map(simulated), candidates: candidates.map(simulated) };
    rows.engagements.put(workspaceId, { ...simulated(engagement), ...parts }, false);
  });
  t.same(read(), ['simulated']);
  for (const table of ['commands', 'tasks', 'engagements'])
    state.db.exec(`UPDATE ${table} SET document = replace(document, ',"provenance":"simulated"', '')`);
  t.same(read(), ['live']);
});
