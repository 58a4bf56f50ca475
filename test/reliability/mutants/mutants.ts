import type { Fault } from '../../support/faulty-copy.js';
import { interfaceMutants } from './interface-mutants.js';
import { networkMutants } from './network-mutants.js';
import { nodeMutants } from './node-mutants.js';
import { storageMutants } from './storage-mutants.js';
import { streamMutants } from './stream-mutants.js';

/** Faults that a measurement must find, by name of the measurement. */
export const mutants: Readonly<Record<string, readonly Fault[]>> = {
  ...storageMutants,
  ...streamMutants,
  ...networkMutants,
  ...interfaceMutants,
  ...nodeMutants,
};
