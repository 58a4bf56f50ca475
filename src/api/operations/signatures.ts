import {
  TransactionApprovedListResultResponse_code as ListCode,
  type Permission,
  PermissionPermissionType as PermissionType,
  Return,
  type Transaction,
  TransactionApprovedList,
  TransactionApprovedListResult,
  TransactionExtention,
  TransactionSignWeight,
  TransactionSignWeightResult,
  TransactionSignWeightResultResponse_code as WeightCode,
} from '../../codec/generated/messages.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { ChainError } from '../../state-transition/errors.js';
import { describeError } from '../../state-transition/java-errors.js';
import { permissionById } from '../../state-transition/state/permissions.js';
import type { State } from '../../state-transition/state/state.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import { decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';
import { signerBy } from '../../state-transition/transactions/recover-signer.js';
import { allowsContract, weigh } from '../../state-transition/transactions/validate-signature.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiRelease } from '../releases/api-release.js';

const TOO_MANY = 'too many signatures';
const NO_CONTRACT = 'Invalid transaction: no valid contract';

/** State and release whose rules apply to the check of signatures. */
interface CheckContext {
  readonly view: ChainView;
  readonly release: ApiRelease;
}

/** Returns the state and release whose rules apply to the signatures in a client's request. */
export function requestedSignatures({
  api,
  view,
}: {
  readonly api: ApiContext;
  readonly view: ChainView;
}): CheckContext {
  return { view, release: api.settings.release };
}

/**
 * Returns the signers of a transaction and the sum of their weights.
 * Reference: TransactionUtil.getTransactionSignWeight.
 */
export function signWeight(context: CheckContext, transaction: Transaction): TransactionSignWeight {
  const reply = new TransactionSignWeight();
  reply.result = new TransactionSignWeightResult();
  fill({ reply, result: reply.result, codes: WeightCode }, context, transaction, (decoded) =>
    weighInto(reply, context.view, decoded),
  );
  return reply;
}

/**
 * Fills the response with permission, signers and weight.
 * @returns the result code
 * @throws {ChainError} the permission or a signature is invalid
 */
function weighInto(reply: TransactionSignWeight, { state }: ChainView, transaction: DecodedTransaction): number {
  const permission = permissionFor(state, transaction);
  reply.permission = permission;
  const { signature } = transaction.message;
  if (signature.length > 0) {
    const { weight, approvals } = weigh(state, permission, signature, transaction.id);
    reply.approvedList = approvals;
    reply.currentWeight = weight;
  }
  return reply.currentWeight >= permission.threshold ? WeightCode.ENOUGH_PERMISSION : WeightCode.NOT_ENOUGH_PERMISSION;
}

/**
 * Returns the permission that a transaction uses.
 * @throws {ChainError} PermissionException: the owner does not have this permission
 */
function permissionFor(state: State, transaction: DecodedTransaction): Permission {
  const account = ownerOf(state, transaction);
  const { contract } = transaction;
  const permission = permissionById(account, contract.permissionId);
  if (permission === undefined) refusePermission('Permission for this, does not exist!');
  if (contract.permissionId !== 0) {
    if (permission.type !== PermissionType.Active) refusePermission('Permission type is wrong!');
    if (!allowsContract(permission, contract)) refusePermission('Permission denied!');
  }
  return permission;
}

/** Returns the signers of a transaction. Reference: Wallet.getTransactionApprovedList. */
export function approvedList(context: CheckContext, transaction: Transaction): TransactionApprovedList {
  const reply = new TransactionApprovedList();
  reply.result = new TransactionApprovedListResult();
  fill({ reply, result: reply.result, codes: ListCode }, context, transaction, (decoded) => {
    const found = context.release.checksSignatures ? weighedSigners : signers;
    reply.approvedList = found(context.view, decoded);
    return ListCode.SUCCESS;
  });
  return reply;
}

/** A response and its result codes. The response has the weight or the signers of a transaction. */
interface Answer {
  readonly reply: { transaction?: TransactionExtention | undefined };
  readonly result: { code: number; message: string };
  readonly codes: Codes;
}

/**
 * Fills the fields that both kinds of responses have.
 * @param read fills the other fields and returns the result code; if `read` throws, the response gets the result code
 * of the error
 */
function fill(
  { reply, result, codes }: Answer,
  context: CheckContext,
  transaction: Transaction,
  read: (decoded: DecodedTransaction) => number,
): void {
  if (hasTooMany(transaction, context)) {
    [result.code, result.message] = [codes.OTHER_ERROR, TOO_MANY];
    return;
  }
  const decoded = decodeTransaction(context.release.checksSignatures ? withCutSignatures(transaction) : transaction);
  reply.transaction = extentionOf(decoded);
  if (decoded.raw.contract.length === 0) {
    [result.code, result.message] = [codes.OTHER_ERROR, NO_CONTRACT];
    return;
  }
  try {
    result.code = read(decoded);
  } catch (error) {
    [result.code, result.message] = failure(error, codes);
  }
}

/**
 * Returns the signers of a transaction.
 * @throws {ChainError} the permission is invalid, or a signature does not match a key of the permission
 */
function weighedSigners({ state }: ChainView, transaction: DecodedTransaction): Uint8Array[] {
  const permission = permissionFor(state, transaction);
  return weigh(state, permission, transaction.message.signature, transaction.id).approvals;
}

/**
 * Returns the signers without a check of the permission.
 * @throws {ChainError} the owner account does not exist, or a signature is malformed
 */
function signers({ state }: ChainView, transaction: DecodedTransaction): Uint8Array[] {
  ownerOf(state, transaction);
  return transaction.message.signature.map((signature) => {
    if (signature.length < SIGNATURE_BYTES) {
      throw new ChainError('SignatureFormatException', `Signature size is ${signature.length}`);
    }
    return signerBy(state.rules, [transaction.id, signature]);
  });
}

function hasTooMany({ signature }: Transaction, { view, release }: CheckContext): boolean {
  return release.checksSignatures && signature.length > view.state.properties.number('TOTAL_SIGN_NUM');
}

/** Cuts each signature after 65 bytes. Reference: TransactionUtil.truncateSignatures. */
function withCutSignatures(transaction: Transaction): Transaction {
  const cut = transaction.clone();
  cut.signature = transaction.signature.map((bytes) => bytes.subarray(0, SIGNATURE_BYTES));
  return cut;
}

function ownerOf(state: State, { owner }: DecodedTransaction) {
  return state.account(owner) ?? refusePermission('Account does not exist!');
}

function extentionOf({ message, id }: DecodedTransaction): TransactionExtention {
  const result = Object.assign(new Return(), { result: true });
  return Object.assign(new TransactionExtention(), { transaction: message, txid: id, result });
}

interface Codes {
  readonly OTHER_ERROR: number;
  readonly SIGNATURE_FORMAT_ERROR: number;
  readonly COMPUTE_ADDRESS_ERROR: number;
  readonly PERMISSION_ERROR?: number;
}

function failure(error: unknown, codes: Codes): [code: number, text: string] {
  const text = describeError(error);
  if (text === undefined) throw error;
  const found = error instanceof ChainError ? error : undefined;
  switch (found?.exception) {
    case 'SignatureFormatException':
      return [codes.SIGNATURE_FORMAT_ERROR, found.text ?? ''];
    case 'SignatureException':
      return [codes.COMPUTE_ADDRESS_ERROR, found.text ?? ''];
    case 'PermissionException':
      if (codes.PERMISSION_ERROR !== undefined) return [codes.PERMISSION_ERROR, found.text ?? ''];
  }
  return [codes.OTHER_ERROR, text];
}

function refusePermission(text: string): never {
  throw new ChainError('PermissionException', text);
}
