import type { MessageType } from '../../log/codec/descriptor.js';
import {
  ReturnResponse_code as Code,
  IvkDecryptAndMarkParameters,
  IvkDecryptParameters,
  NfParameters,
  NoteParameters,
  OutputPointInfo,
  OvkDecryptParameters,
  PrivateParameters,
  PrivateParametersWithoutAsk,
  Return,
  Transaction,
  TransactionExtention,
} from '../../log/codec/generated/messages.js';
import { utf8 } from '../../log/domain/bytes.js';
import type { ChainView } from '../api-context.js';
import { Status } from './answer-call.js';
import { type GrpcMethod, type GrpcMethods, GrpcStatusError, method } from './grpc-method.js';

const CLOSED = 'Not support Shielded Transaction, need to be opened by the committee';

/**
 * Declared, but not served: making keys, notes and proofs of the shielded contract needs the wallet's side of Sapling, which a
 * node does not have to have.
 */
export const UNSERVED: readonly string[] = [
  ...['GetSpendingKey', 'GetExpandedSpendingKey', 'GetAkFromAsk', 'GetNkFromNsk', 'GetIncomingViewingKey'],
  ...['GetDiversifier', 'GetNewShieldedAddress', 'GetZenPaymentAddress', 'GetRcm', 'CreateSpendAuthSig'],
  ...['CreateShieldedContractParameters', 'CreateShieldedContractParametersWithoutAsk'],
  ...['ScanShieldedTRC20NotesByIvk', 'ScanShieldedTRC20NotesByOvk', 'IsShieldedTRC20ContractNoteSpent'],
  'GetTriggerInputForShieldedTRC20Contract',
];

/** Methods of shielded transactions that `WalletSolidity` has too. */
export const SOLIDITY_SHIELDED: readonly string[] = [
  ...['GetMerkleTreeVoucherInfo', 'ScanNoteByIvk', 'ScanAndMarkNoteByIvk', 'ScanNoteByOvk', 'IsSpend'],
];

/** Methods of shielded transactions, which no network that follows the rules has opened: they say so. */
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
};

function closed(request: MessageType<object>): GrpcMethod {
  return method(request, (_, { view }) => {
    requireClosed(view);
    throw new GrpcStatusError(Status.INTERNAL, CLOSED);
  });
}

function closedBuilder(request: MessageType<object>): GrpcMethod {
  return method(request, (_, { view }) => {
    requireClosed(view);
    const message = utf8(`Contract validate error : ${CLOSED}`);
    const result = Object.assign(new Return(), { code: Code.CONTRACT_VALIDATE_ERROR, message });
    return Object.assign(new TransactionExtention(), { result });
  });
}

/** @throws {GrpcStatusError} on a network whose committee opened them */
function requireClosed({ state }: ChainView): void {
  if (!state.properties.isOn('ALLOW_SHIELDED_TRANSACTION')) return;
  throw new GrpcStatusError(Status.UNIMPLEMENTED, 'shielded transactions are not served by this node');
}
