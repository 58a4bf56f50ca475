import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
  SmartContractABI,
  type Transaction,
  TransferAssetContract,
  TransferContract,
  TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { printNewTransaction, printTransaction } from '../../../encoding/json/print-transaction.js';
import { type ReadOptions, readMessage } from '../../../encoding/json/read-message.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { present } from '../../../primitives/assert.js';
import { utf8 } from '../../../primitives/bytes.js';
import { wrap64 } from '../../../primitives/int64.js';
import { isValidateError, javaError } from '../../../state-transition/java-errors.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { buildTransaction as buildUnsigned, rawOf, setPermission } from '../../operations/build-transaction.js';
import { newCallReply, triggerContract } from '../../operations/call-contract.js';
import { contract } from '../../operations/smart-contracts.js';
import { RawJson } from '../envelope.js';
import type { BuildArguments } from '../parameters.js';
import { isNothing, type RpcForm, readHexAddress, readQuantity } from '../quantities.js';
import { internalError, invalidParams, invalidRequest, RpcError } from '../rpc-error.js';
import { agreedCallData, callData } from './call-data.js';

/**
 * Builds an unsigned transaction for a wallet. Reference: TronJsonRpcImpl.buildTransaction.
 * @throws {RpcError} the arguments are malformed, or the transaction is invalid
 */
export function buildRpcTransaction(api: ApiContext, view: ChainView, args: BuildArguments): RawJson {
  let owner: Uint8Array;
  try {
    owner = readHexAddress(args.from, api.settings);
  } catch {
    throw invalidRequest();
  }
  const { release } = api.settings;
  const { to } = args;
  const code = release.checksRpcArguments ? agreedCallData(args, release) : args.data;
  if (isNothing(to)) {
    if (isNothing(code)) throw invalidRequest();
    return buildCreation(api, view, owner, args);
  }
  if (contract(view, readHexAddress(to, api.settings)) !== undefined) return buildTrigger(api, view, owner, args);
  if (isTokenTransfer(args)) return buildTokenTransfer(api, view, owner, args);
  if (args.value === null || args.value === '') throw invalidRequest();
  return buildTransfer(api, view, owner, args);
}

function isTokenTransfer({ tokenId, tokenValue, value }: BuildArguments): boolean {
  return unboxed(tokenId) > 0n && unboxed(tokenValue) > 0n && (value === null || value === '' || value === '0x0');
}

/**
 * Returns a number that must be present. java-tron reads an empty text as null, and fails when it converts null to a
 * primitive number.
 * @throws {JavaError} NullPointerException: the value is null
 */
function unboxed(value: bigint | null): bigint {
  if (value === null) throw nullPointer();
  return value;
}

function buildCreation(api: ApiContext, view: ChainView, owner: Uint8Array, args: BuildArguments): RawJson {
  return refusing(
    (text) => text,
    () => {
      const { abi } = args;
      const token = { callTokenValue: unboxed(args.tokenValue), tokenId: unboxed(args.tokenId) };
      const options = {
        visible: args.visible ?? false,
        release: api.settings.release,
        addressPrefix: api.settings.addressPrefix,
      };
      const newContract = Object.assign(new SmartContract(), {
        abi: abi === null || abi === '' ? new SmartContractABI() : readAbi(abi, options),
        callValue: readQuantity(args.value, api.settings.release),
        consumeUserResourcePercent: unboxed(args.consumeUserResourcePercent),
        originEnergyLimit: unboxed(args.originEnergyLimit),
        originAddress: owner,
        bytecode: bytesOfHex(callData(args, api.settings.release)),
        name: args.name ?? '',
      });
      const message = Object.assign(new CreateSmartContract(), {
        ownerAddress: owner,
        newContract,
        ...token,
      });
      const transaction = buildUnsigned(api, view, ContractType.CreateSmartContract, message);
      rawOf(transaction).feeLimit = feeLimitOf(api, view, args);
      setPermission(transaction, Number(unboxed(args.permissionId)));
      return answer(
        printNewTransaction(transaction, {
          visible: false,
          release: api.settings.release,
          addressPrefix: api.settings.addressPrefix,
        }),
      );
    },
  );
}

function buildTrigger(api: ApiContext, view: ChainView, owner: Uint8Array, args: BuildArguments): RawJson {
  const { addressPrefix } = api.settings;
  const contractAddress = readHexAddress(args.to, api.settings);
  return refusing(
    (text) => (text === null ? 'invalid json request' : text.replaceAll('"', "'")),
    () => {
      const message = Object.assign(new TriggerSmartContract(), {
        ownerAddress: owner,
        contractAddress,
        data: bytesOfHex(callData(args, api.settings.release)),
        callTokenValue: unboxed(args.tokenValue),
        tokenId: unboxed(args.tokenId),
        callValue: readQuantity(args.value, api.settings.release),
      });
      const transaction = triggerContract(api, view, {
        message,
        feeLimit: feeLimitOf(api, view, args),
        reply: newCallReply(),
      });
      setPermission(transaction, Number(unboxed(args.permissionId)));
      return answer(
        printTransaction(transaction, {
          visible: args.visible ?? false,
          release: api.settings.release,
          addressPrefix,
        }),
      );
    },
  );
}

/** Arguments of a transfer. `eth_estimateGas` sets only `to` and `value`. */
type TransferArguments = Pick<BuildArguments, 'to' | 'value' | 'permissionId' | 'extraData' | 'visible'>;

/** Builds a TRX transfer. @throws {RpcError} the transfer is invalid */
export function buildTransfer(api: ApiContext, view: ChainView, owner: Uint8Array, args: TransferArguments): RawJson {
  const amount = readQuantity(args.value, api.settings.release);
  const toAddress = readHexAddress(args.to, api.settings);
  const message = Object.assign(new TransferContract(), { ownerAddress: owner, toAddress, amount });
  return finish(api, () => buildUnsigned(api, view, ContractType.TransferContract, message), args);
}

function buildTokenTransfer(api: ApiContext, view: ChainView, owner: Uint8Array, args: BuildArguments): RawJson {
  const message = Object.assign(new TransferAssetContract(), {
    ownerAddress: owner,
    toAddress: readHexAddress(args.to, api.settings),
    assetName: utf8(String(args.tokenId)),
    amount: present(args.tokenValue, 'a token transfer has an amount'),
  });
  return finish(api, () => buildUnsigned(api, view, ContractType.TransferAssetContract, message), args);
}

function finish(api: ApiContext, build: () => Transaction, args: TransferArguments): RawJson {
  const visible = args.visible ?? false;
  return refusing(
    (text) => text,
    () => {
      const transaction = build();
      setPermission(transaction, Number(unboxed(args.permissionId)));
      const { extraData } = args;
      if (extraData !== null && extraData !== '') {
        rawOf(transaction).data = visible ? utf8(extraData) : bytesOfHex(extraData);
      }
      return answer(
        printNewTransaction(transaction, {
          visible,
          release: api.settings.release,
          addressPrefix: api.settings.addressPrefix,
        }),
      );
    },
  );
}

/**
 * Returns the fee limit of a transaction in SUN: requested energy × current energy price.
 * @throws {RpcError} the energy is malformed, or the fee limit is too large
 */
function feeLimitOf({ settings: { release } }: ApiContext, { state }: ChainView, { gas }: BuildArguments): bigint {
  const limit = readQuantity(gas, release) * state.properties.get('ENERGY_FEE');
  const wrapped = wrap64(limit);
  if (release.checksRpcArguments && wrapped !== limit) throw invalidParams('invalid gas: fee limit overflow');
  return wrapped;
}

/**
 * Reads an ABI.
 * @throws {RpcError} the ABI is invalid, and the release checks arguments
 * @throws {JavaError} the ABI is invalid, and the release does not check arguments
 */
function readAbi(abi: string, options: ReadOptions & RpcForm): SmartContractABI {
  try {
    return readMessage(`{"entrys":${abi}}`, SmartContractABI, options);
  } catch (error) {
    if (options.release.checksRpcArguments && javaError(error) !== undefined) throw invalidParams('invalid abi');
    throw error;
  }
}

/**
 * Builds a transaction and converts failures. A failed validation of the contract becomes an "invalid request" error.
 * Any other failure becomes an internal error.
 */
function refusing(internalText: (text: string | null) => string | null, build: () => RawJson): RawJson {
  try {
    return build();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const found = javaError(error);
    if (found === undefined) throw error;
    throw isValidateError(found) ? invalidRequest(found.text) : internalError(internalText(found.text));
  }
}

function answer(transaction: string): RawJson {
  return new RawJson(`{"transaction":${transaction}}`);
}
