import { PricesResponseMessage, TransactionIdList } from '../../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfText } from '../../../java-compat/hash-map.js';
import { toInt64, toUtf8 } from '../../../primitives/bytes.js';
import type { BytesProperty } from '../../../state-transition/parameters/property-table.js';
import type { State } from '../../../state-transition/state/state.js';
import type { chainEndpoints } from '../../endpoints/chain-endpoints.js';
import {
  chainParameters,
  exchange,
  exchangePage,
  exchanges,
  proposal,
  proposalPage,
  proposals,
  witnesses,
  witnessPage,
} from '../../operations/governance.js';
import { listNodes } from '../../operations/list-nodes.js';
import { transactionIdHex } from '../../operations/pending-transactions.js';
import { contract, contractInfo } from '../../operations/smart-contracts.js';
import { cachedGrpcMethod, grpcMethod, type MethodsOf } from '../grpc-method.js';
import { nodeInfoMethod } from './node-info-method.js';
import { numberMessage } from './reply-messages.js';
import { statsInfoMethod } from './stats-info-method.js';

/** gRPC methods for witnesses, proposals, exchanges, contracts, pending transactions and the node. */
export const chainMethods: MethodsOf<typeof chainEndpoints> = {
  ListWitnesses: cachedGrpcMethod((_, view) => witnesses(view)),
  GetPaginatedNowWitnessList: {
    fullnode: cachedGrpcMethod((page, view) => witnessPage(view, page, true), 'internal'),
    // The solidity server lists witnesses even during maintenance, because the votes of the solidified state are always
    // complete.
    solidity: cachedGrpcMethod((page, view) => witnessPage(view, page, false)),
    pbft: 'declared',
  },
  ListProposals: cachedGrpcMethod((_, view) => proposals(view)),
  GetProposalById: cachedGrpcMethod(({ value }, view) => proposal(view, keyOf(value))),
  GetPaginatedProposalList: cachedGrpcMethod(({ offset, limit }, view) => proposalPage(view, offset, limit)),
  ListExchanges: cachedGrpcMethod((_, view) => exchanges(view)),
  GetExchangeById: cachedGrpcMethod(({ value }, view) => exchange(view, keyOf(value))),
  GetPaginatedExchangeList: cachedGrpcMethod(({ offset, limit }, view) => exchangePage(view, offset, limit)),
  GetChainParameters: cachedGrpcMethod((_, view) => chainParameters(view)),
  GetNextMaintenanceTime: cachedGrpcMethod((_, view) =>
    numberMessage(view.state.properties.get('NEXT_MAINTENANCE_TIME')),
  ),
  GetBurnTrx: cachedGrpcMethod((_, view) => numberMessage(view.state.properties.get('BURN_TRX_AMOUNT'))),
  GetEnergyPrices: cachedGrpcMethod((_, { state }) => prices(state, 'ENERGY_PRICE_HISTORY')),
  GetBandwidthPrices: cachedGrpcMethod((_, { state }) => prices(state, 'BANDWIDTH_PRICE_HISTORY')),
  GetMemoFee: cachedGrpcMethod((_, { state }) => prices(state, 'MEMO_FEE_HISTORY')),
  GetContract: cachedGrpcMethod(({ value }, view) => contract(view, value)),
  GetContractInfo: cachedGrpcMethod(({ value }, view) => contractInfo(view, value)),
  GetPendingSize: grpcMethod((_, { api }) => numberMessage(BigInt(api.pending.count))),
  GetTransactionListFromPending: grpcMethod((_, { api }) => {
    const ids = new JavaHashMap<string, null>(javaHashOfText);
    for (const transaction of api.pending.all()) ids.set(transactionIdHex(transaction), null);
    return Object.assign(new TransactionIdList(), { txId: ids.entries().map(([id]) => id) });
  }),
  ListNodes: grpcMethod((_, { api }) => listNodes(api.peers)),
  GetNodeInfo: nodeInfoMethod,
  GetStatsInfo: statsInfoMethod,
};

function prices({ properties }: State, history: BytesProperty): PricesResponseMessage {
  return Object.assign(new PricesResponseMessage(), { prices: toUtf8(properties.bytes(history)) });
}

/** Converts a key of 8 bytes to a number. Returns −1 for a key of another length, because no row has the number −1. */
function keyOf(bytes: Uint8Array): bigint {
  return bytes.length === 8 ? toInt64(bytes) : -1n;
}
