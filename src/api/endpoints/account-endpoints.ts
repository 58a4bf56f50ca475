import { serverNames } from '../servers.js';
import type { EndpointDefinition } from './endpoint-definition.js';

/** Endpoints that read accounts, their resources and rewards, or validate an address. */
export const accountEndpoints = {
  GetAccount: {
    name: 'getaccount',
    servers: serverNames,
    rpc: ['GetAccount'],
    reads: { address: 'address!' },
    prints: 'Account',
  },
  GetAccountById: {
    name: 'getaccountbyid',
    servers: serverNames,
    rpc: ['GetAccountById'],
    reads: { account_id: 'bytes!' },
    prints: 'Account',
  },
  GetAccountNet: {
    name: 'getaccountnet',
    servers: ['fullnode'],
    rpc: ['GetAccountNet'],
    reads: { address: 'address!' },
    prints: 'AccountNetMessage',
  },
  GetAccountResource: {
    name: 'getaccountresource',
    servers: ['fullnode'],
    rpc: ['GetAccountResource'],
    reads: { address: 'address!' },
    prints: 'AccountResourceMessage',
  },
  GetAccountBalance: {
    name: 'getaccountbalance',
    servers: ['fullnode'],
    rpc: ['GetAccountBalance'],
    reads: { account_identifier: 'address!', block_identifier: 'object!' },
    prints: 'AccountBalanceResponse',
  },
  GetBlockBalance: {
    name: 'getblockbalance',
    servers: ['fullnode'],
    rpc: ['GetBlockBalanceTrace'],
    reads: { hash: 'bytes', number: 'int64' },
    prints: 'BlockBalanceTrace',
  },
  GetReward: {
    name: 'getReward',
    servers: serverNames,
    rpc: ['GetRewardInfo'],
    handsOn: 'POST',
    reads: { address: 'hex' },
    prints: 'other',
  },
  GetBrokerage: {
    name: 'getBrokerage',
    servers: serverNames,
    rpc: ['GetBrokerageInfo'],
    handsOn: 'POST',
    reads: { address: 'hex' },
    prints: 'other',
  },
  ValidateAddress: {
    name: 'validateaddress',
    servers: ['fullnode'],
    ignoresForms: true,
    rpc: [],
    reads: { address: 'address!' },
    prints: 'other',
  },
} as const satisfies Readonly<Record<string, EndpointDefinition>>;
