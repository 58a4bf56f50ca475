import type { MessageType } from '../../../codec/descriptor.js';
import {
  BytesMessage,
  ReturnResponse_code as Code,
  EmptyMessage,
  IncomingViewingKeyDiversifierMessage,
  IvkDecryptAndMarkParameters,
  IvkDecryptParameters,
  IvkDecryptTRC20Parameters,
  NfParameters,
  NfTRC20Parameters,
  NoteParameters,
  OutputPointInfo,
  OvkDecryptParameters,
  OvkDecryptTRC20Parameters,
  PrivateParameters,
  PrivateParametersWithoutAsk,
  PrivateShieldedTRC20Parameters,
  PrivateShieldedTRC20ParametersWithoutAsk,
  Return,
  ShieldedTRC20TriggerContractParameters,
  SpendAuthSigParameters,
  Transaction,
  TransactionExtention,
  ViewingKeyMessage,
} from '../../../codec/generated/messages.js';
import { EMPTY_BYTES, utf8 } from '../../../domain/bytes.js';
import type { ApiContext, ChainView } from '../../api-context.js';
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
import { type GrpcCall, type GrpcMethod, type GrpcMethods, GrpcStatusError, method } from '../grpc-method.js';
import { Status } from '../grpc-reply.js';

/** Opens shielded contracts. */
const CONTRACTS = 'ALLOW_SHIELDED_TRC20_TRANSACTION';
const CLOSED = 'Not support Shielded Transaction, need to be opened by the committee';
const CONTRACT_CLOSED = 'Not support Shielded TRC20 Transaction, need to be opened by the committee';

/** Methods of shielded transactions and contracts that `WalletSolidity` has too. */
export const SOLIDITY_SHIELDED: readonly string[] = [
  ...['GetMerkleTreeVoucherInfo', 'ScanNoteByIvk', 'ScanAndMarkNoteByIvk', 'ScanNoteByOvk', 'IsSpend'],
  ...['ScanShieldedTRC20NotesByIvk', 'ScanShieldedTRC20NotesByOvk', 'IsShieldedTRC20ContractNoteSpent'],
];

/** Shielded transactions, which no network that follows the rules has opened, and the wallet's side of shielded contracts. */
export const shieldedMethods: GrpcMethods = {
  GetMerkleTreeVoucherInfo: closed(OutputPointInfo),
  ScanNoteByIvk: closed(IvkDecryptParameters),
  ScanAndMarkNoteByIvk: closed(IvkDecryptAndMarkParameters),
  ScanNoteByOvk: closed(OvkDecryptParameters),
  IsSpend: closed(NoteParameters),
  GetShieldTransactionHash: closed(Transaction),
  CreateShieldNullifier: closed(NfParameters),
  CreateShieldedTransaction: closedBuilder(PrivateParameters),
  CreateShieldedTransactionWithoutSpendAuthSig: closedBuilder(PrivateParametersWithoutAsk),
  GetSpendingKey: opened(EmptyMessage, (_, { api }) => newSpendingKey(api)),
  GetRcm: opened(EmptyMessage, (_, { api }) => newRcm(api)),
  GetDiversifier: opened(EmptyMessage, (_, { api }) => newDiversifier(api)),
  GetNewShieldedAddress: opened(EmptyMessage, (_, { api }) => newShieldedAddress(api)),
  GetExpandedSpendingKey: opened(BytesMessage, ({ value }, { api }) => expandedSpendingKey(api, value)),
  GetAkFromAsk: opened(BytesMessage, ({ value }, { api }) => akFromAsk(api, value)),
  GetNkFromNsk: opened(BytesMessage, ({ value }, { api }) => nkFromNsk(api, value)),
  GetIncomingViewingKey: opened(ViewingKeyMessage, ({ ak, nk }, { api }) => incomingViewingKey(api, ak, nk)),
  GetZenPaymentAddress: opened(IncomingViewingKeyDiversifierMessage, ({ ivk, d }, { api }) =>
    paymentAddress(api, ivk?.ivk ?? EMPTY_BYTES, d?.d ?? EMPTY_BYTES),
  ),
  CreateSpendAuthSig: opened(SpendAuthSigParameters, ({ ask, alpha, txHash }, { api }) =>
    spendAuthSig(api, ask, alpha, txHash),
  ),
  CreateShieldedContractParameters: opened(PrivateShieldedTRC20Parameters, (request, { api, view }) =>
    shieldedParameters(api, view, request, 'invalid from_amount or to_amount'),
  ),
  CreateShieldedContractParametersWithoutAsk: opened(
    PrivateShieldedTRC20ParametersWithoutAsk,
    (request, { api, view }) => shieldedParameters(api, view, request, 'invalid_from amount or to_amount'),
  ),
  ScanShieldedTRC20NotesByIvk: scanned(IvkDecryptTRC20Parameters, (request, { api, view }) =>
    scanByViewingKey(api, view, request),
  ),
  ScanShieldedTRC20NotesByOvk: scanned(OvkDecryptTRC20Parameters, (request, { api, view }) =>
    scanByOutgoingKey(api, view, request),
  ),
  IsShieldedTRC20ContractNoteSpent: opened(NfTRC20Parameters, (request, { api, view }) =>
    isNoteSpent(api, view, request),
  ),
  GetTriggerInputForShieldedTRC20Contract: method(ShieldedTRC20TriggerContractParameters, (request, { api, view }) => {
    // The one method that passes the refusal on without its text.
    if (!areContractsOpen(api, view)) throw new GrpcStatusError(Status.UNKNOWN, '');
    return shieldedTriggerInput(api, request);
  }),
};

/** A method of shielded contracts; its failures are shown with their texts. */
function opened<Q extends object>(
  request: MessageType<Q>,
  run: (request: Q, call: GrpcCall) => object | undefined,
): GrpcMethod {
  const guarded = (asked: Q, call: GrpcCall): object | undefined => {
    requireContracts(call);
    return run(asked, call);
  };
  return method(request, guarded, 'internal');
}

/** A scan; signatures of events are refused by a status of their own where the release takes none. */
function scanned<Q extends { readonly events: readonly string[] }>(
  request: MessageType<Q>,
  run: (request: Q, call: GrpcCall) => object,
): GrpcMethod {
  return opened(request, (asked, call) => {
    const refusal = eventsRefusal(call.api, asked.events);
    if (refusal !== undefined) throw new GrpcStatusError(Status.INVALID_ARGUMENT, refusal);
    return run(asked, call);
  });
}

function areContractsOpen({ settings }: ApiContext, { state }: ChainView): boolean {
  return !settings.release.committeeOpensShielded || state.properties.isOn(CONTRACTS);
}

/** @throws {GrpcStatusError} */
function requireContracts({ api, view }: GrpcCall): void {
  if (areContractsOpen(api, view)) return;
  throw new GrpcStatusError(Status.INTERNAL, CONTRACT_CLOSED);
}

function closed(request: MessageType<object>): GrpcMethod {
  return method(request, (_, { api, view }) => {
    requireClosed(view);
    const { release } = api.settings;
    throw new GrpcStatusError(Status.INTERNAL, release.committeeOpensShielded ? CLOSED : release.shieldedRefusal);
  });
}

function closedBuilder(request: MessageType<object>): GrpcMethod {
  return method(request, (_, { api: { settings }, view }) => {
    requireClosed(view);
    const refusal = settings.allowsShieldedApi ? CLOSED : settings.release.shieldedRefusal;
    const message = utf8(`Contract validate error : ${refusal}`);
    const result = Object.assign(new Return(), { code: Code.CONTRACT_VALIDATE_ERROR, message });
    return Object.assign(new TransactionExtention(), { result });
  });
}

/** @throws {GrpcStatusError} on a network whose committee opened them */
function requireClosed({ state }: ChainView): void {
  if (!state.properties.isOn('ALLOW_SHIELDED_TRANSACTION')) return;
  throw new GrpcStatusError(Status.UNIMPLEMENTED, 'shielded transactions are not served by this node');
}
