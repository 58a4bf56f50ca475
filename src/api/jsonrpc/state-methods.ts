import { toAddress } from '../../log/domain/address.js';
import { concatBytes, toHex } from '../../log/domain/bytes.js';
import { storageRowKey } from '../../vm/smart-contract/storage-key.js';
import type { ChainView, ViewName } from '../api-context.js';
import { JavaError, javaError, nullPointer } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { contract } from '../operations/smart-contracts.js';
import type { ApiRelease } from '../releases/api-release.js';
import { stateAt, stateOfCall } from './block-choice.js';
import { buildTransaction } from './build-transaction.js';
import { call, estimateGas } from './contract-calls.js';
import { method, type RpcEntry } from './envelope.js';
import type { Json } from './json-text.js';
import {
  anything,
  type BuildArguments,
  buildArguments,
  type CallArguments,
  callArguments,
  text,
} from './parameters.js';
import { toPlain } from './plain-json.js';
import { data, quantity, readAddress, ZERO_HASH } from './quantities.js';
import { orInPool, type RpcContext } from './rpc-context.js';
import { invalidParams, unavailable } from './rpc-error.js';

/** In every refusal of a port. */
const PORT_NAMES: Readonly<Record<ViewName, string>> = { head: 'FULLNODE', solidified: 'SOLIDITY', pbft: 'PBFT' };

/** Balances, code, storage, calls. Reference: TronJsonRpcImpl. */
export function stateMethods(context: RpcContext): RpcEntry[] {
  const { api, view: name, features } = context;
  const view = (): ChainView => api.view(name);
  const address = (value: string | null): Uint8Array => readAddress(value, api.settings);
  const caller = { api, showsRevertData: features.revertData };
  return [
    method<[string | null, string | null]>('eth_getBalance', [text, text], (of, tag) => {
      const { state } = stateAt(context, tag);
      return quantity(state.account(toAddress(address(of)))?.balance ?? 0n);
    }),
    method<[string | null, string | null]>('eth_getCode', [text, text], (of, tag) => {
      const at = stateAt(context, tag);
      const key = address(of);
      if (contract(at, key) === undefined) return '0x';
      return data(at.state.code.get(toAddress(key)) ?? new Uint8Array(0));
    }),
    method<[string | null, string | null, string | null]>('eth_getStorageAt', [text, text, text], (of, slot, tag) => {
      const at = { view: stateAt(context, tag), release: api.settings.release };
      const checked = readSlot(slot, at.release);
      return storageAt(at, address(of), checked);
    }),
    method<[CallArguments | null, Json]>('eth_call', [callArguments, anything], (args, block) =>
      orInPool(context, 'eth_call', [args, toPlain(block)], () =>
        call(caller, stateOfCall(context, block), args ?? missing()),
      ),
    ),
    method<[CallArguments | null]>('eth_estimateGas', [callArguments], (args) =>
      orInPool(context, 'eth_estimateGas', [args], () => estimateGas(caller, view(), args ?? missing())),
    ),
    method<[BuildArguments | null]>('buildTransaction', [buildArguments], (args) => {
      if (name !== 'head') throw unavailable('buildTransaction', ` in ${PORT_NAMES[name]}`);
      return orInPool(context, 'buildTransaction', [args], () => buildTransaction(api, view(), args ?? missing()));
    }),
  ];
}

function missing(): never {
  throw nullPointer();
}

/** Characters of a slot at the most. Reference: TronJsonRpcImpl.MAX_STORAGE_KEY_HEX_LEN */
const SLOT_CHARS_MAX = 66;
const SLOT_INVALID = 'invalid storage key value';

/** What reads a slot once its contract is known, or has read it before. @throws {RpcError} */
function readSlot(slot: string | null, { checksRpcArguments }: ApiRelease): string | null {
  if (checksRpcArguments && (slot === null || slot.length > SLOT_CHARS_MAX)) throw invalidParams(SLOT_INVALID);
  return slot;
}

/** @throws {RpcError} */
function slotBytes(slot: string | null): Uint8Array {
  try {
    const bytes = bytesOfHex(slot);
    if (bytes.length <= 32) return bytes;
  } catch (error) {
    if (javaError(error) === undefined) throw error;
  }
  throw invalidParams(SLOT_INVALID);
}

function storageAt(
  { view, release }: { readonly view: ChainView; readonly release: ApiRelease },
  address: Uint8Array,
  slot: string | null,
): string {
  const checked = release.checksRpcArguments ? slotBytes(slot) : undefined;
  const found = contract(view, address);
  if (found === undefined) return ZERO_HASH;
  const bytes = checked ?? bytesOfHex(slot);
  if (bytes.length > 32) {
    throw new JavaError('java.lang.RuntimeException', `Data word can't exceed 32 bytes: ${toHex(bytes)}`);
  }
  const word = concatBytes(new Uint8Array(32 - bytes.length), bytes);
  const value = view.state.storage.get(storageRowKey(toAddress(address), found, word));
  return value === undefined ? ZERO_HASH : data(value);
}
