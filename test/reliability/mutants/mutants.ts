import { interfaceMutants } from './interface-mutants.js';
import type { Mutants } from './mutant.js';
import { networkMutants } from './network-mutants.js';
import { storageMutants } from './storage-mutants.js';
import { streamMutants } from './stream-mutants.js';

/** Mutants of each measurement, by its name. */
export const mutants: Mutants = { ...storageMutants, ...streamMutants, ...networkMutants, ...interfaceMutants };
