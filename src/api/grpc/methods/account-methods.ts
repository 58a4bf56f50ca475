import { toAddress } from '../../../primitives/address.js';
import { brokerageOf, queryReward } from '../../../state-transition/rewards/rewards.js';
import type { accountEndpoints } from '../../endpoints/account-endpoints.js';
import {
  account,
  accountBalance,
  accountById,
  accountNet,
  accountResource,
  blockBalance,
} from '../../operations/accounts.js';
import { cachedGrpcMethod, type MethodsOf } from '../grpc-method.js';
import { numberMessage } from './reply-messages.js';

/** gRPC methods for accounts, their resources and rewards. */
export const accountMethods: MethodsOf<typeof accountEndpoints> = {
  GetAccount: cachedGrpcMethod(({ address }, view) => account(view, address)),
  GetAccountById: cachedGrpcMethod(({ accountId }, view) => accountById(view, accountId)),
  GetAccountNet: cachedGrpcMethod(({ address }, view) => accountNet(view, address)),
  GetAccountResource: cachedGrpcMethod(({ address }, view) => accountResource(view, address)),
  GetAccountBalance: cachedGrpcMethod((request, view) => accountBalance(view, request)),
  GetBlockBalanceTrace: cachedGrpcMethod((request, view) => blockBalance(view, request)),
  GetRewardInfo: cachedGrpcMethod(({ value }, view) => numberMessage(queryReward(view.state, toAddress(value)))),
  GetBrokerageInfo: cachedGrpcMethod(({ value }, view) => {
    const cycle = view.state.properties.get('CURRENT_CYCLE_NUMBER');
    return numberMessage(brokerageOf(view.state, toAddress(value), cycle));
  }),
};
