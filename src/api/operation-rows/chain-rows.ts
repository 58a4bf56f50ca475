import { serverNames } from '../servers.js';
import type { OperationRow } from './operation-row.js';

/** Witnesses, proposals, exchanges, contracts, the pool, the node. */
export const chainRows = {
  ListWitnesses: { name: 'listwitnesses', servers: serverNames, reads: {}, prints: 'WitnessList' },
  GetPaginatedNowWitnessList: {
    name: 'getpaginatednowwitnesslist',
    servers: [],
    laterServers: ['fullnode', 'solidity'],
    reads: { offset: 'int64', limit: 'int64' },
    prints: 'WitnessList',
  },
  ListProposals: { name: 'listproposals', servers: ['fullnode'], reads: {}, prints: 'ProposalList' },
  GetProposalById: { name: 'getproposalbyid', servers: ['fullnode'], reads: { id: 'int64!' }, prints: 'Proposal' },
  GetPaginatedProposalList: {
    name: 'getpaginatedproposallist',
    servers: ['fullnode'],
    ignoresForms: true,
    reads: { offset: 'int64', limit: 'int64' },
    prints: 'ProposalList',
  },
  ListExchanges: { name: 'listexchanges', servers: serverNames, reads: {}, prints: 'ExchangeList' },
  GetExchangeById: { name: 'getexchangebyid', servers: serverNames, reads: { id: 'int64!' }, prints: 'Exchange' },
  GetPaginatedExchangeList: {
    name: 'getpaginatedexchangelist',
    servers: ['fullnode'],
    reads: { offset: 'int64', limit: 'int64' },
    prints: 'ExchangeList',
  },
  GetChainParameters: { name: 'getchainparameters', servers: ['fullnode'], reads: {}, prints: 'ChainParameters' },
  GetNextMaintenanceTime: { name: 'getnextmaintenancetime', servers: ['fullnode'], reads: {}, prints: 'NumberMessage' },
  GetBurnTrx: { name: 'getburntrx', servers: serverNames, reads: {}, prints: 'other' },
  GetEnergyPrices: { name: 'getenergyprices', servers: serverNames, reads: {}, prints: 'other' },
  GetBandwidthPrices: {
    name: 'getbandwidthprices',
    servers: ['fullnode'],
    laterServers: serverNames,
    reads: {},
    prints: 'other',
  },
  GetMemoFeePrices: { name: 'getmemofee', servers: ['fullnode'], reads: {}, prints: 'other' },
  GetContract: { name: 'getcontract', servers: ['fullnode'], reads: { value: 'address!' }, prints: 'SmartContract' },
  GetContractInfo: {
    name: 'getcontractinfo',
    servers: ['fullnode'],
    reads: { value: 'address!' },
    prints: 'SmartContractDataWrapper',
  },
  GetPendingSize: { name: 'getpendingsize', servers: ['fullnode'], reads: {}, prints: 'other' },
  GetTransactionListFromPending: {
    name: 'gettransactionlistfrompending',
    servers: ['fullnode'],
    reads: {},
    prints: 'TransactionIdList',
  },
  ListNodes: {
    name: 'listnodes',
    servers: ['fullnode'],
    outside: { fullnode: '/net/listnodes' },
    reads: {},
    prints: 'NodeList',
  },
  GetNodeInfo: {
    name: 'getnodeinfo',
    servers: serverNames,
    // The solidity server answers for the node under its usual path too.
    outside: { fullnode: '/monitor/getnodeinfo', solidity: '/wallet/getnodeinfo' },
    reads: {},
    prints: 'other',
  },
  Metrics: {
    name: 'getstatsinfo',
    servers: [],
    outside: { fullnode: '/monitor/getstatsinfo' },
    reads: {},
    prints: 'other',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
