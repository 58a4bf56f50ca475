import { ContractState, SmartContract, SmartContractABI } from '../codec/generated/messages.js';
import { byteRows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Smart contracts: settings, ABI, code, storage and dynamic energy. */
export const contracts = stateProjection({
  name: 'contracts',
  version: 1,
  description: 'Smart contracts with settings, ABI, code, storage and dynamic energy factor.',
  stores: {
    abi: messageRows(SmartContractABI),
    code: byteRows,
    contract: messageRows(SmartContract),
    'contract-state': messageRows(ContractState),
    /** Contract storage. Keys and values have 32 bytes each. */
    'storage-row': byteRows,
  },
  read: (rows) => ({
    contract: (address: Uint8Array) => rows.get('contract', address),
    abi: (address: Uint8Array) => rows.get('abi', address),
    code: (address: Uint8Array) => rows.get('code', address),
  }),
});
