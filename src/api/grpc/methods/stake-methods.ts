import type { stakeEndpoints } from '../../endpoints/stake-endpoints.js';
import {
  availableUnfreezeCount,
  delegableMaxSize,
  delegatedResource,
  delegatedResourceV2,
  delegationIndex,
  withdrawableAmount,
} from '../../operations/delegations.js';
import { cachedGrpcMethod, type MethodsOf } from '../grpc-method.js';

/** gRPC methods for stake and delegated stake. */
export const stakeMethods: MethodsOf<typeof stakeEndpoints> = {
  GetDelegatedResource: cachedGrpcMethod(({ fromAddress, toAddress: to }, view) =>
    delegatedResource(view, fromAddress, to),
  ),
  GetDelegatedResourceV2: cachedGrpcMethod(({ fromAddress, toAddress: to }, view) =>
    delegatedResourceV2(view, fromAddress, to),
  ),
  GetDelegatedResourceAccountIndex: cachedGrpcMethod(({ value }, view) => delegationIndex(view, 'v1', value)),
  GetDelegatedResourceAccountIndexV2: cachedGrpcMethod(({ value }, view) => delegationIndex(view, 'v2', value)),
  GetCanDelegatedMaxSize: cachedGrpcMethod(({ ownerAddress, type }, view) =>
    delegableMaxSize(view, ownerAddress, type),
  ),
  GetAvailableUnfreezeCount: cachedGrpcMethod(({ ownerAddress }, view) => availableUnfreezeCount(view, ownerAddress)),
  GetCanWithdrawUnfreezeAmount: cachedGrpcMethod(({ ownerAddress, timestamp }, view) =>
    withdrawableAmount(view, ownerAddress, timestamp),
  ),
};
