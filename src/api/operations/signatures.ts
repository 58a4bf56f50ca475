import {
  TransactionApprovedListResultResponse_code as ListCode,
  PermissionPermissionType as PermissionType,
  Return,
  type Transaction,
  TransactionApprovedList,
  TransactionApprovedListResult,
  TransactionExtention,
  TransactionSignWeight,
  TransactionSignWeightResult,
  TransactionSignWeightResultResponse_code as WeightCode,
} from '../../log/codec/generated/messages.js';
import { ChainError } from '../../vm/errors.js';
import { permissionById } from '../../vm/permissions.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import { recoverSigner, SIGNATURE_BYTES } from '../../vm/transactions/recover-signer.js';
import { allowsContract, weigh } from '../../vm/transactions/validate-signature.js';
import type { ChainView } from '../api-context.js';
import { describeError } from '../java/java-error.js';

const NO_CONTRACT = 'Invalid transaction: no valid contract';

/** Weight of a transaction's signatures, and who signed. Reference: TransactionUtil.getTransactionSignWeight. */
export function signWeight(view: ChainView, transaction: Transaction): TransactionSignWeight {
  const reply = new TransactionSignWeight();
  const decoded = decodeTransaction(transaction);
  reply.transaction = extentionOf(decoded);
  const result = new TransactionSignWeightResult();
  reply.result = result;
  try {
    if (decoded.raw.contract.length === 0) {
      result.code = WeightCode.OTHER_ERROR;
      result.message = NO_CONTRACT;
    } else result.code = weighInto(reply, view, decoded);
  } catch (error) {
    [result.code, result.message] = failure(error, WeightCode);
  }
  return reply;
}

/** @returns the code of the result. @throws {ChainError} */
function weighInto(reply: TransactionSignWeight, { state }: ChainView, transaction: DecodedTransaction): number {
  const account = ownerOf(state, transaction);
  const { contract } = transaction;
  const permission = permissionById(account, contract.permissionId);
  if (permission === undefined) refusePermission('Permission for this, does not exist!');
  if (contract.permissionId !== 0) {
    if (permission.type !== PermissionType.Active) refusePermission('Permission type is wrong!');
    if (!allowsContract(permission, contract)) refusePermission('Permission denied!');
  }
  reply.permission = permission;
  const { signature } = transaction.message;
  if (signature.length > 0) {
    const { weight, approvals } = weigh(state, permission, signature, transaction.id);
    reply.approvedList = approvals;
    reply.currentWeight = weight;
  }
  return reply.currentWeight >= permission.threshold ? WeightCode.ENOUGH_PERMISSION : WeightCode.NOT_ENOUGH_PERMISSION;
}

/** Who signed a transaction. Reference: Wallet.getTransactionApprovedList. */
export function approvedList(view: ChainView, transaction: Transaction): TransactionApprovedList {
  const reply = new TransactionApprovedList();
  const decoded = decodeTransaction(transaction);
  reply.transaction = extentionOf(decoded);
  const result = new TransactionApprovedListResult();
  reply.result = result;
  try {
    if (decoded.raw.contract.length === 0) {
      result.code = ListCode.OTHER_ERROR;
      result.message = NO_CONTRACT;
    } else {
      ownerOf(view.state, decoded);
      reply.approvedList = transaction.signature.map((signature) => signerOf(view, decoded, signature));
      result.code = ListCode.SUCCESS;
    }
  } catch (error) {
    [result.code, result.message] = failure(error, ListCode);
  }
  return reply;
}

function signerOf({ state }: ChainView, { id }: DecodedTransaction, signature: Uint8Array): Uint8Array {
  if (signature.length < SIGNATURE_BYTES) {
    throw new ChainError('SignatureFormatException', `Signature size is ${signature.length}`);
  }
  return recoverSigner(id, signature, state.rules.addressPrefix);
}

function ownerOf(state: ChainView['state'], { owner }: DecodedTransaction) {
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
