import { toAddress } from '../../../primitives/address.js';
import { brokerageOf, queryReward } from '../../../state-transition/rewards/rewards.js';
import type { accountRows } from '../../endpoints/account-endpoints.js';
import {
  account,
  accountBalance,
  accountById,
  accountNet,
  accountResource,
  blockBalance,
} from '../../operations/accounts.js';
import { type MethodsOf, question } from '../grpc-method.js';
import { numberMessage } from './reply-messages.js';

/** Accounts, their resources and rewards. */
export const accountMethods: MethodsOf<typeof accountRows> = {
  GetAccount: question(({ address }, view) => account(view, address)),
  GetAccountById: question(({ accountId }, view) => accountById(view, accountId)),
  GetAccountNet: question(({ address }, view) => accountNet(view, address)),
  GetAccountResource: question(({ address }, view) => accountResource(view, address)),
  GetAccountBalance: question((request, view) => accountBalance(view, request)),
  GetBlockBalanceTrace: question((request, view) => blockBalance(view, request)),
  GetRewardInfo: question(({ value }, view) => numberMessage(queryReward(view.state, toAddress(value)))),
  GetBrokerageInfo: question(({ value }, view) => {
    const cycle = view.state.properties.get('CURRENT_CYCLE_NUMBER');
    return numberMessage(brokerageOf(view.state, toAddress(value), cycle));
  }),
};
