import type { SmartContract } from '../../../codec/generated/messages.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { JavaError, nullPointer } from '../../../java-compat/java-error.js';
import { toAddress } from '../../../primitives/address.js';
import { concatBytes, toHex } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import { storedWord } from '../../../state-transition/state/storage-key.js';
import type { ChainView } from '../../context/api-context.js';
import { contract } from '../../operations/smart-contracts.js';
import type { ApiRelease } from '../../releases/api-release.js';
import type { PortView } from '../../servers.js';
import { stateAt, stateOfCall } from '../block-choice.js';
import { type RpcEntry, rpcMethod } from '../envelope.js';
import type { Json } from '../json-text.js';
import {
  anyParameter,
  argumentReaders,
  type BuildArguments,
  type CallArguments,
  textParameter,
} from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { data, quantity, readHexAddress, ZERO_HASH } from '../quantities.js';
import { INTERNAL_CODE, invalidParams, REVERT_CODE, unavailable } from '../rpc-error.js';
import { buildRpcTransaction } from './build-transaction.js';
import { callRpc, estimateGas } from './contract-calls.js';
import type { RpcFeatures } from './features.js';
import { orInPool, type RpcContext } from './rpc-context.js';

/** Names of the ports as they occur in error texts. */
const PORT_NAMES: Readonly<Record<PortView, string>> = { head: 'FULLNODE', solidified: 'SOLIDITY', pbft: 'PBFT' };

/** Returns the methods for balances, code, storage and calls. Reference: TronJsonRpcImpl. */
export function stateMethods(context: RpcContext): RpcEntry[] {
  const { api, view: name, features } = context;
  const view = (): ChainView => api.view(name);
  const { callArguments, buildArguments } = argumentReaders(api.settings.release);
  const address = (value: string | null): Uint8Array => readHexAddress(value, api.settings);
  const caller = { api, revertCode: revertCodeOf(features, api.settings.release) };
  return [
    rpcMethod<[string | null, string | null]>('eth_getBalance', [textParameter, textParameter], (of, tag) => {
      const { state } = stateAt(context, tag);
      return quantity(state.account(toAddress(address(of)))?.balance ?? 0n);
    }),
    rpcMethod<[string | null, string | null]>('eth_getCode', [textParameter, textParameter], (of, tag) => {
      const at = stateAt(context, tag);
      const key = address(of);
      if (contract(at, key) === undefined) return '0x';
      return data(at.state.code.get(toAddress(key)) ?? new Uint8Array(0));
    }),
    rpcMethod<[string | null, string | null, string | null]>(
      'eth_getStorageAt',
      [textParameter, textParameter, textParameter],
      (of, slot, tag) => {
        const at = stateAt(context, tag);
        const isStrict = api.settings.release.checksRpcArguments;
        if (isStrict) checkSlotLength(slot);
        const key = address(of);
        const checked = isStrict ? strictSlotBytes(slot) : undefined;
        const found = contract(at, key);
        return found === undefined ? ZERO_HASH : storageAt(at, found, key, checked ?? slotBytes(slot));
      },
    ),
    rpcMethod<[CallArguments | null, Json]>('eth_call', [callArguments, anyParameter], (args, block) =>
      orInPool(context, 'eth_call', [args, toPlain(block)], () =>
        callRpc(caller, stateOfCall(context, block), args ?? missing()),
      ),
    ),
    rpcMethod<[CallArguments | null]>('eth_estimateGas', [callArguments], (args) =>
      orInPool(context, 'eth_estimateGas', [args], () => estimateGas(caller, view(), args ?? missing())),
    ),
    rpcMethod<[BuildArguments | null]>('buildTransaction', [buildArguments], (args) => {
      if (name !== 'head') throw unavailable('buildTransaction', ` in ${PORT_NAMES[name]}`);
      return orInPool(context, 'buildTransaction', [args], () => buildRpcTransaction(api, view(), args ?? missing()));
    }),
  ];
}

/**
 * Returns the JSON-RPC error code for a reverted call; undefined if responses do not contain the output of a reverted
 * call.
 */
function revertCodeOf({ revertData }: RpcFeatures, { showsRevertData }: ApiRelease): number | undefined {
  if (revertData) return REVERT_CODE;
  return showsRevertData ? INTERNAL_CODE : undefined;
}

function missing(): never {
  throw nullPointer();
}

/** Maximum length of a storage slot in a request, in characters. Reference: TronJsonRpcImpl.MAX_STORAGE_KEY_HEX_LEN */
const SLOT_CHARS_MAX = 66;
const SLOT_INVALID = 'invalid storage key value';

/**
 * Checks the length of a storage slot. As in java-tron, this check precedes the check of the address.
 * @throws {RpcError} the text is too long
 */
function checkSlotLength(slot: string | null): void {
  if (slot === null || slot.length > SLOT_CHARS_MAX) throw invalidParams(SLOT_INVALID);
}

/**
 * Decodes a storage slot. Used in releases that check arguments.
 * @returns at most 32 bytes
 * @throws {RpcError} the slot is malformed
 */
function strictSlotBytes(slot: string | null): Uint8Array {
  try {
    return slotBytes(slot);
  } catch (error) {
    throw javaError(error) === undefined ? error : invalidParams(SLOT_INVALID);
  }
}

/**
 * Decodes a storage slot. Used in releases that do not check arguments.
 * @returns at most 32 bytes
 * @throws {JavaError} invalid hex, or more than 32 bytes
 */
function slotBytes(slot: string | null): Uint8Array {
  const bytes = bytesOfHex(slot);
  if (bytes.length <= 32) return bytes;
  throw new JavaError('java.lang.RuntimeException', `Data word can't exceed 32 bytes: ${toHex(bytes)}`);
}

/**
 * Returns the value of a storage slot.
 * @param of stored row of the contract, which determines the keys of its slots
 * @param address address of the contract, 21 bytes
 * @param slot at most 32 bytes
 */
export function storageAt(view: ChainView, of: SmartContract, address: Uint8Array, slot: Uint8Array): string {
  const word = concatBytes(new Uint8Array(32 - slot.length), slot);
  const value = storedWord(view.state, toAddress(address), of, word);
  return value === undefined ? ZERO_HASH : data(value);
}
