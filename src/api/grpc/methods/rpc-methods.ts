import { BlockReference, DynamicProperties } from '../../../codec/generated/messages.js';
import { present } from '../../../primitives/assert.js';
import type { rpcRows } from '../../endpoints/rpc-endpoints.js';
import { type MethodsOf, question } from '../grpc-method.js';
import { closed, closedBuilder } from './shielded-methods.js';

/** What gRPC has and HTTP lacks. */
export const rpcMethods: MethodsOf<typeof rpcRows> = {
  getBlockReference: question((_, view) =>
    Object.assign(new BlockReference(), {
      blockNum: BigInt(view.headNumber),
      blockHash: present(view.blockIdAt(view.headNumber), 'a view has its newest block'),
    }),
  ),
  GetDynamicProperties: question((_, view) =>
    Object.assign(new DynamicProperties(), {
      lastSolidityBlockNum: view.state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM'),
    }),
  ),
  BuyStorage: 'declared',
  BuyStorageBytes: 'declared',
  SellStorage: 'declared',
  CreateShieldNullifier: closed,
  CreateShieldedTransaction: closedBuilder,
  CreateShieldedTransactionWithoutSpendAuthSig: closedBuilder,
  GetShieldTransactionHash: closed,
};
