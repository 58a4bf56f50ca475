import { ReturnResponse_code as Code, Return, TransactionExtention } from '../../../codec/generated/messages.js';
import { EMPTY_BYTES, utf8 } from '../../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import type { shieldedEndpoints } from '../../endpoints/shielded-endpoints.js';
import { eventsRefusal, scanByOutgoingKey, scanByViewingKey } from '../../operations/shielded/scan-notes.js';
import {
  akFromAsk,
  expandedSpendingKey,
  incomingViewingKey,
  isNoteSpent,
  newDiversifier,
  newRcm,
  newShieldedAddress,
  newSpendingKey,
  nkFromNsk,
  paymentAddress,
  spendAuthSig,
} from '../../operations/shielded/shielded.js';
import { shieldedParameters, shieldedTriggerInput } from '../../operations/shielded/shielded-contracts.js';
import { type GrpcCall, type GrpcHandler, GrpcStatusError, grpcMethod, type MethodsOf } from '../grpc-method.js';
import { GrpcStatus } from '../grpc-reply.js';

/** Chain property that enables shielded contracts. */
const CONTRACTS = 'ALLOW_SHIELDED_TRC20_TRANSACTION';
const CLOSED = 'Not support Shielded Transaction, need to be opened by the committee';
const CONTRACT_CLOSED = 'Not support Shielded TRC20 Transaction, need to be opened by the committee';

/** Method for shielded transactions. Always rejects the request, because the network has not enabled them. */
export const closedShieldedMethod = grpcMethod<object, never>((_, { api, view }) => {
  requireClosed(view);
  const { release } = api.settings;
  throw new GrpcStatusError(GrpcStatus.INTERNAL, release.committeeOpensShielded ? CLOSED : release.shieldedRefusal);
});

/** Method that builds shielded transactions. Always rejects the request, because the network has not enabled them. */
export const closedBuilder = grpcMethod<object, TransactionExtention>((_, { api: { settings }, view }) => {
  requireClosed(view);
  const refusal = settings.allowsShieldedApi ? CLOSED : settings.release.shieldedRefusal;
  const message = utf8(`Contract validate error : ${refusal}`);
  const result = Object.assign(new Return(), { code: Code.CONTRACT_VALIDATE_ERROR, message });
  return Object.assign(new TransactionExtention(), { result });
});

/**
 * gRPC methods for shielded transactions, and for the operations of a wallet on shielded contracts. No known network
 * has enabled shielded transactions.
 */
export const shieldedMethods: MethodsOf<typeof shieldedEndpoints> = {
  GetMerkleTreeVoucherInfo: closedShieldedMethod,
  ScanNoteByIvk: closedShieldedMethod,
  ScanAndMarkNoteByIvk: closedShieldedMethod,
  ScanNoteByOvk: closedShieldedMethod,
  IsSpend: closedShieldedMethod,
  GetSpendingKey: opened((_, { api }) => newSpendingKey(api)),
  GetRcm: opened((_, { api }) => newRcm(api)),
  GetDiversifier: opened((_, { api }) => newDiversifier(api)),
  GetNewShieldedAddress: opened((_, { api }) => newShieldedAddress(api)),
  GetExpandedSpendingKey: opened(({ value }, { api }) => expandedSpendingKey(api, value)),
  GetAkFromAsk: opened(({ value }, { api }) => akFromAsk(api, value)),
  GetNkFromNsk: opened(({ value }, { api }) => nkFromNsk(api, value)),
  GetIncomingViewingKey: opened(({ ak, nk }, { api }) => incomingViewingKey(api, ak, nk)),
  GetZenPaymentAddress: opened(({ ivk, d }, { api }) =>
    paymentAddress(api, ivk?.ivk ?? EMPTY_BYTES, d?.d ?? EMPTY_BYTES),
  ),
  CreateSpendAuthSig: opened(({ ask, alpha, txHash }, { api }) => spendAuthSig(api, ask, alpha, txHash)),
  CreateShieldedContractParameters: opened((request, { api, view }) =>
    shieldedParameters(api, view, request, 'invalid from_amount or to_amount'),
  ),
  CreateShieldedContractParametersWithoutAsk: opened((request, { api, view }) =>
    shieldedParameters(api, view, request, 'invalid_from amount or to_amount'),
  ),
  ScanShieldedTRC20NotesByIvk: scanned((request, { api, view }) => scanByViewingKey(api, view, request)),
  ScanShieldedTRC20NotesByOvk: scanned((request, { api, view }) => scanByOutgoingKey(api, view, request)),
  IsShieldedTRC20ContractNoteSpent: opened((request, { api, view }) => isNoteSpent(api, view, request)),
  GetTriggerInputForShieldedTRC20Contract: grpcMethod((request, { api, view }) => {
    // If shielded contracts are disabled, this method replies without an error text. All other methods reply with an
    // error text.
    if (!areContractsOpen(api, view)) throw new GrpcStatusError(GrpcStatus.UNKNOWN, '');
    return shieldedTriggerInput(api, request);
  }),
};

/**
 * Creates a method that rejects all requests while shielded contracts are disabled. If the method fails, the reply
 * contains the error text.
 */
function opened<Q extends object, R extends object>(
  run: (request: Q, call: GrpcCall) => R | undefined,
): GrpcHandler<Q, R> {
  const guarded = (request: Q, call: GrpcCall): R | undefined => {
    requireContracts(call);
    return run(request, call);
  };
  return grpcMethod(guarded, 'internal');
}

/**
 * Creates a method that scans for notes. If the release does not support event signatures, the method rejects requests
 * with event signatures. Other errors of a scan have the status INTERNAL, but this rejection has INVALID_ARGUMENT.
 */
function scanned<Q extends { readonly events: readonly string[] }, R extends object>(
  run: (request: Q, call: GrpcCall) => R,
): GrpcHandler<Q, R> {
  return opened((request, call) => {
    const refusal = eventsRefusal(call.api, request.events);
    if (refusal !== undefined) throw new GrpcStatusError(GrpcStatus.INVALID_ARGUMENT, refusal);
    return run(request, call);
  });
}

function areContractsOpen({ settings }: ApiContext, { state }: ChainView): boolean {
  return !settings.release.committeeOpensShielded || state.properties.isOn(CONTRACTS);
}

/** Checks that shielded contracts are enabled. @throws {GrpcStatusError} they are disabled */
function requireContracts({ api, view }: GrpcCall): void {
  if (areContractsOpen(api, view)) return;
  throw new GrpcStatusError(GrpcStatus.INTERNAL, CONTRACT_CLOSED);
}

/**
 * Checks that shielded transactions are disabled.
 * @throws {GrpcStatusError} the committee of the network has enabled them
 */
function requireClosed({ state }: ChainView): void {
  if (!state.properties.isOn('ALLOW_SHIELDED_TRANSACTION')) return;
  throw new GrpcStatusError(GrpcStatus.UNIMPLEMENTED, 'shielded transactions are not served by this node');
}
