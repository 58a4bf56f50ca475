import { BlockReference, DynamicProperties } from '../../../codec/generated/messages.js';
import { present } from '../../../primitives/assert.js';
import type { rpcEndpoints } from '../../endpoints/rpc-endpoints.js';
import { cachedGrpcMethod, type MethodsOf } from '../grpc-method.js';
import { closedBuilder, closedShieldedMethod } from './shielded-methods.js';

/** Methods that exist only over gRPC. */
export const grpcMethods: MethodsOf<typeof rpcEndpoints> = {
  getBlockReference: cachedGrpcMethod((_, view) =>
    Object.assign(new BlockReference(), {
      blockNum: BigInt(view.headNumber),
      blockHash: present(view.blockIdAt(view.headNumber), 'a view has its newest block'),
    }),
  ),
  GetDynamicProperties: cachedGrpcMethod((_, view) =>
    Object.assign(new DynamicProperties(), {
      lastSolidityBlockNum: view.state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM'),
    }),
  ),
  BuyStorage: 'declared',
  BuyStorageBytes: 'declared',
  SellStorage: 'declared',
  CreateShieldNullifier: closedShieldedMethod,
  CreateShieldedTransaction: closedBuilder,
  CreateShieldedTransactionWithoutSpendAuthSig: closedBuilder,
  GetShieldTransactionHash: closedShieldedMethod,
};
