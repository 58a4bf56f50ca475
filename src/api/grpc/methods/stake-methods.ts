import type { stakeRows } from '../../endpoints/stake-endpoints.js';
import {
  availableUnfreezeCount,
  delegableMaxSize,
  delegatedResource,
  delegatedResourceV2,
  delegationIndex,
  withdrawableAmount,
} from '../../operations/delegations.js';
import { type MethodsOf, question } from '../grpc-method.js';

/** Stake, and stake lent to others. */
export const stakeMethods: MethodsOf<typeof stakeRows> = {
  GetDelegatedResource: question(({ fromAddress, toAddress: to }, view) => delegatedResource(view, fromAddress, to)),
  GetDelegatedResourceV2: question(({ fromAddress, toAddress: to }, view) =>
    delegatedResourceV2(view, fromAddress, to),
  ),
  GetDelegatedResourceAccountIndex: question(({ value }, view) => delegationIndex(view, 'v1', value)),
  GetDelegatedResourceAccountIndexV2: question(({ value }, view) => delegationIndex(view, 'v2', value)),
  GetCanDelegatedMaxSize: question(({ ownerAddress, type }, view) => delegableMaxSize(view, ownerAddress, type)),
  GetAvailableUnfreezeCount: question(({ ownerAddress }, view) => availableUnfreezeCount(view, ownerAddress)),
  GetCanWithdrawUnfreezeAmount: question(({ ownerAddress, timestamp }, view) =>
    withdrawableAmount(view, ownerAddress, timestamp),
  ),
};
