import type { OutletSpec } from '../model/outlet.ts';

/** Outlet as it was declared, in the configuration or at run time. */
export type DeclaredOutlet = {
  id: string;
  spec: OutletSpec;
  ofFile: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
};
