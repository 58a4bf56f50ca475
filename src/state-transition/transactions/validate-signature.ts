import {
  TransactionContractContractType as ContractType,
  type Permission,
  PermissionPermissionType as PermissionType,
  type TransactionContract,
} from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { addressBytes } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { hasPassed } from '../consensus/fork-versions.js';
import { ChainError } from '../errors.js';
import { VERSION } from '../parameters/block-versions.js';
import { defaultActivePermission, defaultOwnerPermission, permissionById } from '../state/permissions.js';
import type { State } from '../state/state.js';
import type { DecodedTransaction } from '../transaction.js';
import { signerBy } from './recover-signer.js';

/** Returns the address of the signer of a hash. The signer may already be known from a signature worker. */
export type FindSigner = (hash: Uint8Array, signature: Uint8Array) => Uint8Array;

/**
 * Verifies that keys of the transaction's permission signed with sufficient weight. Reference:
 * TransactionCapsule.validateSignature.
 * @throws {ChainError} ValidateSignatureException: signatures are missing, too many, invalid or too light, or the
 * permission is invalid. Before release 4.8.2, also unchecked exceptions of `recoverKey`
 */
export function validateSignature(state: State, transaction: DecodedTransaction, findSigner?: FindSigner): void {
  const { message, contractType, owner } = transaction;
  if (contractType === ContractType.ShieldedTransferContract && owner === '') {
    if (message.signature.length === 0) return;
    refuse('there should be no signatures signed by transparent address when transfer from shielded address');
  }
  if (message.signature.length === 0 || transaction.raw.contract.length === 0) refuse('miss sig or contract');
  if (message.signature.length > state.properties.number('TOTAL_SIGN_NUM')) refuse('too many signatures');
  try {
    if (isOwnersAlone(state, transaction, findSigner)) return;
    const permission = permissionOf(state, transaction);
    const { weight } = weigh(state, permission, message.signature, transaction.id, findSigner);
    if (weight < permission.threshold) refuse('sig error');
  } catch (error) {
    if (error instanceof ChainError && error.checked) refuse(error.text);
    throw error;
  }
}

/**
 * Fast path: returns true if the owner made the only signature and the account stores no owner permission. The default
 * owner permission then applies, which contains only the owner's key. If this function returns false, the caller must
 * run the full check.
 * @throws {ChainError} no signer can be recovered
 */
function isOwnersAlone(
  state: State,
  { message, contract, owner, id }: DecodedTransaction,
  findSigner?: FindSigner,
): boolean {
  const [signature, ...more] = message.signature;
  if (contract.permissionId !== 0 || signature === undefined || more.length > 0) return false;
  const account = owner === '' ? undefined : state.account(owner);
  if (account === undefined || account.ownerPermission !== undefined || signature.length < SIGNATURE_BYTES)
    return false;
  return equalBytes(account.address, signerBy(state.rules, [id, signature], findSigner));
}

/**
 * Returns the permission that a transaction uses.
 * @throws {ChainError} PermissionException: the permission does not exist; or its id is not 0 (owner), and it is not an
 * active permission or does not allow the contract type
 */
function permissionOf(state: State, { owner, contract }: DecodedTransaction): Permission {
  const id = contract.permissionId;
  const permission = findPermission(state, owner === '' ? undefined : state.account(owner), addressBytes(owner), id);
  if (permission === undefined) throw new ChainError('PermissionException', "permission isn't exit");
  if (id !== 0) {
    if (permission.type !== PermissionType.Active)
      throw new ChainError('PermissionException', 'Permission type is error');
    if (!allowsContract(permission, contract)) throw new ChainError('PermissionException', 'Permission denied');
  }
  return permission;
}

/**
 * Returns the total weight of the signers, and their addresses in the order of the signatures. Reference:
 * TransactionCapsule.checkWeight.
 * @throws {ChainError} there are more signatures than keys, a signature is invalid, its signer is not in the
 * permission, or a signer signed twice
 */
export function weigh(
  state: State,
  permission: Permission,
  signatures: readonly Uint8Array[],
  hash: Uint8Array,
  findSigner?: FindSigner,
): { weight: bigint; approvals: Uint8Array[] } {
  if (signatures.length > permission.keys.length) {
    const text = `Signature count is ${signatures.length} more than key counts of permission : ${permission.keys.length}`;
    throw new ChainError('PermissionException', text);
  }
  let weight = 0n;
  const approvals: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const signature of signatures) {
    if (signature.length < SIGNATURE_BYTES) {
      throw new ChainError('SignatureFormatException', `Signature size is ${signature.length}`);
    }
    const signer = signerBy(state.rules, [hash, signature], findSigner);
    const key = permission.keys.find(({ address }) => equalBytes(address, signer));
    if (key === undefined || key.weight === 0n) {
      const { foreignSigner } = state.rules.release.texts;
      throw new ChainError('PermissionException', foreignSigner({ signature, hash }, encodeBase58Check(signer)));
    }
    if (signatures.length > 1) {
      // Before block version 4.7.1, java-tron compared the bytes of the signatures. A second, malleated signature of
      // the same signer was therefore also counted.
      const mark = hasPassed(state, VERSION.V4_7_1) ? toHex(signer) : markOf(signature);
      if (seen.has(mark)) throw new ChainError('PermissionException', `${encodeBase58Check(signer)} has signed twice!`);
      seen.add(mark);
    }
    approvals.push(signer);
    weight = BigInt.asIntN(64, weight + key.weight);
  }
  return { weight, approvals };
}

function findPermission(
  state: State,
  account: ReturnType<State['account']>,
  owner: Uint8Array,
  id: number,
): Permission | undefined {
  if (account !== undefined) return permissionById(account, id);
  if (id === 0) return defaultOwnerPermission(owner);
  return id === 2 ? defaultActivePermission(owner, state) : undefined;
}

/**
 * Returns true if an active permission allows the contract type. Reference: WalletUtil.checkPermissionOperations.
 * @throws {ChainError} PermissionException: the operations do not have 32 bytes; IndexOutOfBoundsException: they have
 * no bit for the contract type
 */
export function allowsContract({ operations }: Permission, { type }: TransactionContract): boolean {
  if (operations.length !== 32) {
    throw new ChainError('PermissionException', `operations size must 32, actual: ${operations.length}`);
  }
  const byte = operations[Math.trunc(type / 8)];
  if (byte === undefined)
    throw new ChainError('IndexOutOfBoundsException', `Index ${type >> 3} out of bounds`, { checked: false });
  return (byte & (1 << (type % 8))) !== 0;
}

/** Returns r, s and the header byte of a signature, normalized as in java-tron. */
function markOf(signature: Uint8Array): string {
  const header = itemAt(signature, 64) < 27 ? itemAt(signature, 64) + 27 : itemAt(signature, 64);
  return `${toHex(signature.subarray(0, 64))}${header}`;
}

function refuse(text: string | null): never {
  throw new ChainError('ValidateSignatureException', text);
}
