import {
  type Account,
  AccountType,
  type CreateSmartContract,
  SmartContract,
  type TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { keccak256 } from '../../crypto/hash.js';
import { type Address, addressBytes, toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES, equalBytes, toHex, utf8 } from '../../primitives/bytes.js';
import { ArithmeticError } from '../../primitives/int64.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { TOKEN_ID_MIN } from '../../state-transition/balances/tokens.js';
import { moveToken, moveTrx, validateTokenMove } from '../../state-transition/balances/transfers.js';
import { ChainError, ContractValidateError, refuse, unchecked } from '../../state-transition/errors.js';
import type { TransactionContext } from '../../state-transition/transaction.js';
import { putContract } from '../machine/contract-rows.js';
import type { FrameInput } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { callLimit, creationLimit, type EnergyBill, type EnergyContext } from './energy-limit.js';

const NAME_BYTES_MAX = 32;

/** Input of the outermost call of a valid transaction. The call value has already been transferred. */
interface Prepared {
  readonly input: FrameInput;
  readonly isCreation: boolean;
  /**
   * True if it is certain before the run that a new contract has no code. Always false after Constantinople, because
   * the run then determines the code.
   */
  readonly hasEmptyCode: boolean;
}

export interface PrepareOptions {
  readonly machine: Machine;
  readonly context: TransactionContext;
  readonly bill: EnergyBill;
  /** Energy limit of a constant call. Undefined for a transaction, whose energy is limited by fee limit and stake. */
  readonly constantEnergy: number | undefined;
}

/**
 * Validates a creation, and builds its outermost call. Reference: VMActuator.create.
 * @throws {ChainError | VmError | ArithmeticError} the creation is invalid
 */
export function prepareCreation(options: PrepareOptions, create: CreateSmartContract): Prepared {
  const { machine, context } = options;
  const { state, rules, accounts } = machine;
  if (!state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS'))
    refuse('vm work is off, need to be opened by the committee');
  const contract = (create.newContract ?? new SmartContract()).clone();
  contract.version = rules.compatibleEvm ? 1 : 0;
  if (!equalBytes(create.ownerAddress, contract.originAddress)) refuse('OwnerAddress is not equals OriginAddress');
  if (utf8(contract.name).length > NAME_BYTES_MAX) refuse("contractName's length cannot be greater than 32");
  const percent = contract.consumeUserResourcePercent;
  if (percent < 0n || percent > 100n) refuse('percent must be >= 0 and <= 100');
  const owner = toAddress(create.ownerAddress);
  const address = contractAddress(state.rules.addressPrefix, context.transaction.id, create.ownerAddress);
  if (accounts.get(address) !== undefined) {
    const text = encodeBase58Check(addressBytes(address));
    refuse(`Trying to create a contract with existing contract address: ${text}`);
  }
  contract.contractAddress = addressBytes(address);
  const { callValue } = contract;
  const { value: tokenValue, id: tokenId } = tokenOf(machine, create);
  const energyLimit = inValidation(() => {
    checkFeeLimit(options);
    const creator = accounts.get(owner);
    const limit = creationEnergy(options, contract, tokenValue, creator);
    checkToken(machine, tokenValue, tokenId);
    requireResult(options);
    requireWord(create.ownerAddress);
    return limit;
  });
  accounts.get(owner);
  accounts.create(address, 0, { accountName: utf8(contract.name), type: AccountType.Contract });
  const code = contract.bytecode;
  putContract(machine, address, contract);
  const runtime = rules.constantinople ? undefined : runtimeCode(code);
  if (runtime !== undefined && runtime.length > 0) state.code.put(address, runtime);
  moveValue(machine, { owner, address, callValue, tokenValue, tokenId });
  const input = frameInput(machine, {
    code,
    address,
    addressBytes: contract.contractAddress,
    owner,
    callValue,
    tokenValue,
    tokenId,
    data: EMPTY_BYTES,
    energyLimit,
    contractVersion: contract.version,
    hash: undefined,
  });
  return { input, isCreation: true, hasEmptyCode: runtime?.length === 0 };
}

function creationEnergy(
  options: PrepareOptions,
  contract: SmartContract,
  tokenValue: bigint,
  creator: Account | undefined,
): number {
  const { machine, constantEnergy } = options;
  if (constantEnergy !== undefined) return constantEnergy;
  if (machine.rules.energyLimitFork) {
    if (contract.callValue < 0n) refuse('callValue must be >= 0');
    if (tokenValue < 0n) refuse('tokenValue must be >= 0');
    if (contract.originEnergyLimit <= 0n) refuse('The originEnergyLimit must be > 0');
  }
  return Number(creationLimit(energyContext(options, contract.callValue), creator));
}

/**
 * Validates a contract call, and builds its outermost call. Reference: VMActuator.call.
 * @throws {ChainError | VmError | ArithmeticError} the call is invalid
 */
export function prepareCall(options: PrepareOptions, trigger: TriggerSmartContract): Prepared {
  const { machine, context, constantEnergy } = options;
  const { state, rules, accounts } = machine;
  if (!state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS'))
    refuse('VM work is off, need to be opened by the committee');
  const address = toAddress(trigger.contractAddress);
  const contract = state.contracts.get(address);
  if (contract === undefined) refuse('No contract or not a smart contract');
  const { owner } = context.transaction;
  const { callValue } = trigger;
  const { value: tokenValue, id: tokenId } = tokenOf(machine, trigger);
  if (rules.energyLimitFork) {
    if (callValue < 0n) refuse('callValue must be >= 0');
    if (tokenValue < 0n) refuse('tokenValue must be >= 0');
  }
  checkToken(machine, tokenValue, tokenId);
  const code = machine.codeOf(address);
  // java-tron creates no program for empty code, and then fails with a NullPointerException.
  if (code.length === 0) throw unchecked('NullPointerException');
  checkFeeLimit(options);
  accounts.get(owner);
  const energyLimit = constantEnergy ?? Number(callLimit(energyContext(options, callValue), contract, owner));
  requireResult(options);
  requireWord(trigger.ownerAddress);
  moveValue(machine, { owner, address, callValue, tokenValue, tokenId });
  const input = frameInput(machine, {
    code,
    address,
    addressBytes: trigger.contractAddress,
    owner,
    callValue,
    tokenValue,
    tokenId,
    data: trigger.data,
    energyLimit,
    contractVersion: rules.compatibleEvm ? contract.version : 0,
    hash: undefined,
  });
  return { input, isCreation: false, hasEmptyCode: false };
}

/** Returns the address of a created contract. Reference: WalletUtil.generateContractAddress. */
function contractAddress(prefix: number, transactionId: Uint8Array, owner: Uint8Array): Address {
  return (prefix.toString(16) + toHex(keccak256(concatBytes(transactionId, owner)).subarray(12))) as Address;
}

function energyContext({ machine, context, bill }: PrepareOptions, callValue: bigint): EnergyContext {
  const { accounts, rules } = machine;
  return { accounts, rules, bill, feeLimit: context.transaction.raw.feeLimit, callValue };
}

interface Value {
  readonly owner: Address;
  readonly address: Address;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
}

function frameInput(
  machine: Machine,
  call: Value &
    Pick<FrameInput, 'code' | 'data' | 'energyLimit' | 'contractVersion' | 'hash'> & { addressBytes: Uint8Array },
): FrameInput {
  return {
    code: call.code,
    codeAddress: call.address,
    context: call.address,
    contextBytes: call.addressBytes,
    caller: machine.origin,
    callValue: BigInt.asUintN(64, call.callValue),
    tokenValue: BigInt.asUintN(64, call.tokenValue),
    tokenId: BigInt.asUintN(64, call.tokenId),
    data: call.data,
    depth: 0,
    isStatic: false,
    energyLimit: call.energyLimit,
    contractVersion: call.contractVersion,
    hash: call.hash,
  };
}

function moveValue({ accounts, rules }: Machine, { owner, address, callValue, tokenValue, tokenId }: Value): void {
  if (callValue > 0n) moveTrx(accounts, owner, address, callValue, 0);
  if (!rules.transferTrc10 || tokenValue <= 0n) return;
  validateTokenMove(accounts, owner, address, tokenId.toString(), tokenValue);
  moveToken(accounts, owner, address, tokenId.toString(), tokenValue, 0);
}

function tokenOf({ rules }: Machine, { callTokenValue, tokenId }: CreateSmartContract | TriggerSmartContract) {
  return rules.transferTrc10 ? { value: callTokenValue, id: tokenId } : { value: 0n, id: 0n };
}

/** Validates token id and amount. Reference: checkTokenValueAndId. */
function checkToken({ rules }: Machine, value: bigint, id: bigint): void {
  if (!rules.transferTrc10 || !rules.multiSign) return;
  if (id <= TOKEN_ID_MIN && id !== 0n) refuse(`tokenId must be > ${TOKEN_ID_MIN}`);
  if (value > 0n && id === 0n) refuse(`invalid arguments with tokenValue = ${value}, tokenId = ${id}`);
}

function checkFeeLimit({ machine, context }: PrepareOptions): void {
  const { feeLimit } = context.transaction.raw;
  const max = machine.state.properties.get('MAX_FEE_LIMIT');
  if (feeLimit < 0n || feeLimit > max) refuse(`feeLimit must be >= 0 and <= ${max}`);
}

/**
 * Rejects a transaction in a signed block without a result, because java-tron derives the time limit from the result.
 */
function requireResult({ context, constantEnergy }: PrepareOptions): void {
  const isChecked = constantEnergy === undefined && context.block?.isSigned === true;
  if (isChecked && context.transaction.message.ret.length === 0) {
    throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  }
}

/** Rejects a caller whose address does not fit into a word. Reference: DataWord. */
function requireWord(owner: Uint8Array): void {
  if (owner.length > WORD_BYTES)
    throw unchecked('RuntimeException', `Data word can't exceed 32 bytes: ${toHex(owner)}`);
}

/** Converts every failure of `check` to a ContractValidateError with the same text. */
function inValidation<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ChainError) throw new ContractValidateError(error.text);
    if (error instanceof ArithmeticError) throw new ContractValidateError(error.message);
    throw error;
  }
}

/**
 * Returns the runtime code by the rule before Constantinople: the part of the init code after the first RETURN that
 * is followed by STOP. If there is no such part, returns 32 zero bytes. Reference: ProgramPrecompile.getCode.
 */
function runtimeCode(code: Uint8Array): Uint8Array {
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = itemAt(code, pc);
    if (opcode === 0xf3 && code[pc + 1] === 0x00) return code.subarray(pc + 2);
    if (opcode >= 0x60 && opcode <= 0x7f) pc += opcode - 0x5f;
  }
  return new Uint8Array(32);
}

/**
 * Returns the result (value of the enum `contractResult`) of the transaction in its signed block. Undefined outside
 * of a signed block.
 */
export function markOf({ transaction, block }: TransactionContext): number | undefined {
  return block?.isSigned === true ? transaction.message.ret[0]?.contractRet : undefined;
}
