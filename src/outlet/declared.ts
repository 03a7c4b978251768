import type { OutletSpec } from '../model/outlet.ts';

/** An outlet as it was declared: in the configuration, or as a row at run time. */
export type DeclaredOutlet = {
  id: string;
  spec: OutletSpec;
  ofFile: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
};
