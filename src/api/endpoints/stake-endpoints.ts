import { serverNames } from '../servers.js';
import type { EndpointDefinition } from './endpoint-definition.js';

/** Operations on stake and delegated stake. */
export const stakeEndpoints = {
  GetDelegatedResource: {
    name: 'getdelegatedresource',
    servers: serverNames,
    rpc: ['GetDelegatedResource'],
    reads: { fromAddress: 'address', toAddress: 'address' },
    prints: 'DelegatedResourceList',
  },
  GetDelegatedResourceV2: {
    name: 'getdelegatedresourcev2',
    servers: serverNames,
    rpc: ['GetDelegatedResourceV2'],
    reads: { fromAddress: 'address', toAddress: 'address' },
    prints: 'DelegatedResourceList',
  },
  GetDelegatedResourceAccountIndex: {
    name: 'getdelegatedresourceaccountindex',
    servers: serverNames,
    rpc: ['GetDelegatedResourceAccountIndex'],
    reads: { value: 'address!' },
    prints: 'DelegatedResourceAccountIndex',
  },
  GetDelegatedResourceAccountIndexV2: {
    name: 'getdelegatedresourceaccountindexv2',
    servers: serverNames,
    rpc: ['GetDelegatedResourceAccountIndexV2'],
    reads: { value: 'address!' },
    prints: 'DelegatedResourceAccountIndex',
  },
  GetCanDelegatedMaxSize: {
    name: 'getcandelegatedmaxsize',
    servers: serverNames,
    rpc: ['GetCanDelegatedMaxSize'],
    reads: { type: 'int32', owner_address: 'address' },
    prints: 'CanDelegatedMaxSizeResponseMessage',
  },
  GetAvailableUnfreezeCount: {
    name: 'getavailableunfreezecount',
    servers: serverNames,
    rpc: ['GetAvailableUnfreezeCount'],
    reads: { owner_address: 'address' },
    prints: 'GetAvailableUnfreezeCountResponseMessage',
  },
  GetCanWithdrawUnfreezeAmount: {
    name: 'getcanwithdrawunfreezeamount',
    servers: serverNames,
    rpc: ['GetCanWithdrawUnfreezeAmount'],
    reads: { owner_address: 'address', timestamp: 'int64' },
    prints: 'CanWithdrawUnfreezeAmountResponseMessage',
  },
} as const satisfies Readonly<Record<string, EndpointDefinition>>;
