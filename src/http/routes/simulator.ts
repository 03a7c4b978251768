import { simStateSchema } from '../../model/picture.ts';
import { sampleSimState } from '../openapi/samples.ts';
import { route } from '../route.ts';

const state = (path: string) =>
  route({
    method: 'GET',
    path,
    summary: 'Which world is shown, and what the simulator does',
    tag: 'simulator',
    answer: { text: 'the state', data: simStateSchema, example: sampleSimState },
    role: 'viewer',
    write: false,
    handler: (_call, { service }) => service.sim(),
  });

export const simulatorRoutes = [state('/sim'), state('/sim/state')];
