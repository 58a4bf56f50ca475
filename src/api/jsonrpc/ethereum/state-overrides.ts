import { AccountType, SmartContract } from '../../../codec/generated/messages.js';
import { sha256 } from '../../../crypto/hash.js';
import { type Address, addressBytes, toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { concatBytes, fromHex, utf8 } from '../../../primitives/bytes.js';
import { newAccount, type State } from '../../../state-transition/state/state.js';
import { storageRowKeys } from '../../../state-transition/state/storage-key.js';
import type { Json } from '../json-text.js';
import type { RpcForm } from '../quantities.js';
import { readHexAddress, readQuantity } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';
import { type CallMembers, callMembersOf, hexMember, quantityMember, readHexWord } from './call-arguments.js';

/** Replacement values for one account during a call. */
export interface AccountOverride {
  readonly address: Address;
  /** Balance in SUN. */
  readonly balance: bigint | undefined;
  readonly code: Uint8Array | undefined;
  /** Slots of the new storage. All other slots become zero. */
  readonly state: Slots | undefined;
  /** Slots with new values. All other slots keep their values. */
  readonly stateDiff: Slots | undefined;
}

/** Storage slots with their values, 32 bytes each. */
type Slots = readonly (readonly [slot: Uint8Array, word: Uint8Array])[];

/** Names of the members of an override. `nonce` has no effect, and `movePrecompileToAddress` is refused. */
const KNOWN = ['balance', 'code', 'state', 'stateDiff', 'nonce', 'movePrecompileToAddress'];

/**
 * Reads state overrides in geth's form. `nonce` is accepted but has no effect.
 * @throws {RpcError} a value is malformed, misspelt or not supported
 */
export function readStateOverrides(value: Json, form: RpcForm): readonly AccountOverride[] {
  if (value === null) return [];
  return [...callMembersOf(value, 'state overrides')].map(([of, override]) => {
    const members = callMembersOf(override, `the override of ${of}`, KNOWN);
    if ((members.get('movePrecompileToAddress') ?? null) !== null)
      throw invalidParams('movePrecompileToAddress is not supported');
    const [state, stateDiff] = [slotsMember(members, 'state'), slotsMember(members, 'stateDiff')];
    if (state !== undefined && stateDiff !== undefined) throw invalidParams(`${of} has both "state" and "stateDiff"`);
    const balance = quantityMember(members, 'balance');
    const code = hexMember(members, 'code');
    return {
      address: toAddress(readHexAddress(of, form)),
      balance: balance === null ? undefined : readQuantity(balance, form.release),
      code: code === null ? undefined : fromHex(code.slice(2)),
      state,
      stateDiff,
    };
  });
}

function slotsMember(members: CallMembers, name: string): Slots | undefined {
  const value = members.get(name) ?? null;
  if (value === null) return undefined;
  return [...callMembersOf(value, name)].map(([slot, word]) => [
    readHexWord(slot, 'slot'),
    readHexWord(word, 'value of a slot'),
  ]);
}

/** Runs a function while the overrides are in the state, then reverts them. */
export function withOverrides<R>(state: State, overrides: readonly AccountOverride[], run: () => R): R {
  if (overrides.length === 0) return run();
  const mark = state.mark();
  try {
    for (const override of overrides) applyOverride(state, override);
    return run();
  } finally {
    state.revertTo(mark);
  }
}

/**
 * Writes the values of an override to the state. The writes are in the journal, so a revert to an earlier journal
 * position removes them.
 */
export function applyOverride(state: State, { address, balance, code, state: only, stateDiff }: AccountOverride): void {
  if (balance !== undefined) accountOf(state, address).balance = balance;
  if (code !== undefined) putCode(state, address, code);
  if (only !== undefined) emptyStorage(state, address);
  const contract = state.contracts.get(address);
  for (const [slot, word] of only ?? stateDiff ?? []) {
    const [key] = storageRowKeys(state, address, contract, slot);
    state.storage.put(key, word);
  }
}

function accountOf(state: State, address: Address) {
  if (!state.accounts.has(address)) state.putAccount(address, newAccount(address, { type: AccountType.Normal }));
  return present(state.accountToWrite(address), 'the account was written above');
}

/** Sets the code of an account. Empty code deletes the existing code. */
function putCode(state: State, address: Address, code: Uint8Array): void {
  accountOf(state, address);
  state.code.put(address, code);
  if (code.length === 0) state.contracts.delete(address);
  else if (!state.contracts.has(address)) state.contracts.put(address, contractAt(address));
}

function contractAt(address: Address): SmartContract {
  const bytes = addressBytes(address);
  return Object.assign(new SmartContract(), { originAddress: bytes, contractAddress: bytes, version: 1 });
}

/**
 * Clears the storage of a contract. The keys of the storage rows start with a prefix that is derived from the id of
 * the transaction that created the contract. Therefore, replaces the id: no storage row has the prefix of the new id.
 */
function emptyStorage(state: State, address: Address): void {
  const contract = state.contracts.get(address)?.clone() ?? contractAt(address);
  contract.trxHash = sha256(concatBytes(utf8('state override'), addressBytes(address)));
  state.contracts.put(address, contract);
}
