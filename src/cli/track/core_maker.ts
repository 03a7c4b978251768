import { Fault } from '../../model/fault.ts';
import type { CoreMaker } from './core_port.ts';

/** The core that `dunlin track` runs. */
export const coreMaker: CoreMaker = {
  settingNames: [],
  make() {
    throw new Fault('not_built', 'this build has no core that takes packed observations');
  },
};
