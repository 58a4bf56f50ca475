import type { ContractHandler } from '../contract-handler.js';
import { transfer } from './transfer.js';

/** One handler per contract type that is not a smart contract. */
const rows: readonly ContractHandler<object>[] = [transfer];

/** Handlers by contract type. */
export const contractHandlers: ReadonlyMap<number, ContractHandler<object>> = new Map(
  rows.map((handler) => [handler.type, handler]),
);
