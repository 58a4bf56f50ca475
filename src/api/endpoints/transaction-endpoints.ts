import { serverNames } from '../servers.js';
import type { EndpointDefinition } from './endpoint-definition.js';

/** Arguments of every smart contract call. */
const CALL = {
  owner_address: 'address!',
  contract_address: 'address',
  function_selector: 'text',
  parameter: 'hex',
  data: 'hex',
  call_value: 'int64',
  call_token_value: 'int64',
  token_id: 'int64',
} as const;

/** Operations that broadcast transactions, check signatures and call smart contracts. */
export const transactionEndpoints = {
  Broadcast: {
    name: 'broadcasttransaction',
    servers: ['fullnode'],
    rpc: ['BroadcastTransaction'],
    reads: { raw_data: 'object[]!', signature: 'hex[]', raw_data_hex: 'text', txID: 'text' },
    prints: 'Return',
  },
  BroadcastHex: {
    name: 'broadcasthex',
    servers: ['fullnode'],
    ignoresForms: true,
    rpc: [],
    reads: { transaction: 'hex!' },
    prints: 'other',
  },
  GetTransactionSignWeight: {
    name: 'getsignweight',
    servers: ['fullnode'],
    rpc: ['GetTransactionSignWeight'],
    reads: { raw_data: 'object!', signature: 'hex[]' },
    prints: 'TransactionSignWeight',
  },
  GetTransactionApprovedList: {
    name: 'getapprovedlist',
    servers: ['fullnode'],
    rpc: ['GetTransactionApprovedList'],
    reads: { raw_data: 'object!', signature: 'hex[]' },
    prints: 'TransactionApprovedList',
  },
  TriggerSmartContract: {
    name: 'triggersmartcontract',
    servers: ['fullnode'],
    ignoresForms: true,
    rpc: ['TriggerContract'],
    reads: {
      ...CALL,
      contract_address: 'address!',
      fee_limit: 'int64',
      Permission_id: 'int32',
    },
    prints: 'TransactionExtention',
  },
  TriggerConstantContract: {
    name: 'triggerconstantcontract',
    servers: serverNames,
    ignoresForms: true,
    rpc: ['TriggerConstantContract'],
    reads: {
      ...CALL,
      Permission_id: 'int32',
      extra_data: 'text',
    },
    prints: 'TransactionExtention',
  },
  EstimateEnergy: {
    name: 'estimateenergy',
    servers: serverNames,
    ignoresForms: true,
    rpc: ['EstimateEnergy'],
    reads: {
      ...CALL,
    },
    prints: 'EstimateEnergyMessage',
  },
} as const satisfies Readonly<Record<string, EndpointDefinition>>;
