import { serverNames } from '../servers.js';
import type { OperationRow } from './operation-row.js';

/** Accounts, their resources and rewards. */
export const accountRows = {
  GetAccount: { name: 'getaccount', servers: serverNames, reads: { address: 'address!' }, prints: 'Account' },
  GetAccountById: { name: 'getaccountbyid', servers: serverNames, reads: { account_id: 'bytes!' }, prints: 'Account' },
  GetAccountNet: {
    name: 'getaccountnet',
    servers: ['fullnode'],
    reads: { address: 'address!' },
    prints: 'AccountNetMessage',
  },
  GetAccountResource: {
    name: 'getaccountresource',
    servers: ['fullnode'],
    reads: { address: 'address!' },
    prints: 'AccountResourceMessage',
  },
  GetAccountBalance: {
    name: 'getaccountbalance',
    servers: ['fullnode'],
    reads: { account_identifier: 'address!', block_identifier: 'object!' },
    prints: 'AccountBalanceResponse',
  },
  GetBlockBalance: {
    name: 'getblockbalance',
    servers: ['fullnode'],
    reads: { hash: 'bytes', number: 'int64' },
    prints: 'BlockBalanceTrace',
  },
  GetReward: { name: 'getReward', servers: serverNames, reads: { address: 'hex' }, prints: 'other' },
  GetBrokerage: { name: 'getBrokerage', servers: serverNames, reads: { address: 'hex' }, prints: 'other' },
  ValidateAddress: {
    name: 'validateaddress',
    servers: ['fullnode'],
    ignoresForms: true,
    reads: { address: 'address!' },
    prints: 'other',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
