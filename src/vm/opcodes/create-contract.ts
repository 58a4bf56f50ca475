import {
  AccountAccountResource,
  AccountType,
  SmartContract,
  SmartContractABI,
} from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../domain/address.js';
import { EMPTY_BYTES, utf8 } from '../../domain/bytes.js';
import { keccak256 } from '../../domain/hash.js';
import { ContractValidateError } from '../errors.js';
import type { Frame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { validateTrxMove } from '../native/transfers.js';
import { failure, longRange, VmError } from '../native/vm-error.js';
import type { State } from '../state/state.js';
import { playInside } from './call-contract.js';
import { CREATE_DATA } from './prices.js';

/** A contract made by a program. Reference: Program.createContractImpl. */
interface CreateRequest {
  readonly kind: 'CREATE' | 'CREATE2';
  readonly value: bigint;
  readonly code: Uint8Array;
  readonly address: Address;
}

/** @returns address as it is pushed, 21 bytes; 0 when it failed */
export function create(machine: Machine, frame: Frame, request: CreateRequest): bigint {
  const { state, rules, accounts } = machine;
  const { address, code: initCode } = request;
  const sender = frame.context;
  if (BigInt.asIntN(64, request.value) !== request.value) throw longRange();
  const endowment = request.value;
  if (accounts.balance(sender) < endowment) return 0n;
  const existing = accounts.get(address);
  const isTaken = existing !== undefined && (!rules.constantinople || state.contracts.has(address));
  const depth = frame.depth + 1;
  const mark = machine.mark();
  if (!isTaken) makeContract(machine, frame, request, depth);
  if (endowment > 0n) {
    try {
      validateTrxMove(accounts, sender, address, endowment);
    } catch (error) {
      if (!(error instanceof ContractValidateError)) throw error;
      throw failure(`validateForSmartContract failure:${error.text}`);
    }
    accounts.addBalance(sender, -endowment, depth);
    accounts.addBalance(address, endowment, depth);
  }
  const given = energyForCall(frame, rules.compatibleEvm, frame.energyLeft);
  frame.energyUsed += given;
  machine.nonce++;
  const internalAt = machine.internal.length;
  const internal = machine.note(frame, { receiver: address, value: endowment, note: 'create', data: initCode });
  const callee = machine.frame({
    code: initCode,
    codeAddress: address,
    context: address,
    caller: frame.contextWord,
    callValue: request.value,
    tokenValue: 0n,
    tokenId: 0n,
    data: EMPTY_BYTES,
    depth,
    isStatic: false,
    energyLimit: given,
    contractVersion: rules.compatibleEvm ? frame.contractVersion : 0,
    hash: internal.hash,
  });
  if (isTaken) {
    const text = `Trying to create a contract with existing contract address: 0x${address}`;
    callee.exception = failure(text);
  } else if (initCode.length > 0) playInside(machine, callee, mark, internalAt + 1, request.kind);
  if (isTaken || initCode.length === 0) {
    machine.hooks?.enter?.(callee, request.kind);
    machine.hooks?.leave?.(callee);
  }
  keepCode(machine, callee, address);
  frame.penalty += callee.penalty;
  if (callee.isFailed) {
    machine.revertTo(mark, depth);
    machine.reject(internalAt);
    if (callee.exception !== undefined) return 0n;
    frame.returnBuffer = callee.returnData;
  } else {
    // Before multi-sign the reference cannot store empty code: it fails on a null reference while it stores the rest.
    if (callee.returnData.length === 0 && !rules.multiSign) throw failure(null);
    machine.keep(mark, depth);
  }
  const left = given - callee.energyUsed;
  if (left > 0) frame.energyUsed -= left;
  return callee.isRevert ? 0n : callee.contextWord;
}

function makeContract(machine: Machine, frame: Frame, { address, kind }: CreateRequest, depth: number): void {
  const { rules, accounts, transactionId } = machine;
  const existing = accounts.get(address);
  if (existing === undefined || !rules.constantinople) {
    accounts.create(address, depth, { type: CONTRACT, accountName: utf8('CreatedByContract') });
  } else {
    const account = accounts.write(address)!;
    account.type = CONTRACT;
    // The reference writes the resource message even where it is empty.
    account.accountResource ??= new AccountAccountResource();
    account.accountResource.acquiredDelegatedFrozenBalanceForEnergy = 0n;
    account.accountResource.acquiredDelegatedFrozenV2BalanceForEnergy = 0n;
    account.acquiredDelegatedFrozenBalanceForBandwidth = 0n;
    account.acquiredDelegatedFrozenV2BalanceForBandwidth = 0n;
  }
  const contract = Object.assign(new SmartContract(), {
    version: rules.compatibleEvm ? frame.contractVersion : 0,
    contractAddress: addressBytes(address),
    consumeUserResourcePercent: 100n,
    originAddress: addressBytes(frame.context),
    trxHash: kind === 'CREATE2' && rules.constantinople ? transactionId : EMPTY_BYTES,
  });
  putContract(machine, address, contract);
}

/** Stores a contract's row, and its ABI in a row of its own when there is none. Reference: commitContractCache. */
export function putContract(machine: Machine, address: Address, contract: SmartContract): void {
  const { state } = machine;
  keepAbi(state, address, contract.abi);
  contract.abi = undefined;
  state.contracts.put(address, contract);
  machine.noteCreated(address);
}

/** Whenever a program changes a contract's row, its ABI gets a row too, be it an empty one. */
export function keepAbi(state: State, address: Address, abi = new SmartContractABI()): void {
  if (!state.abis.has(address)) state.abis.put(address, abi);
}

/** Pays for the code that a creation returned, and keeps it. */
function keepCode(machine: Machine, callee: Frame, address: Address): void {
  const code = callee.returnData;
  if (code.length > 0 && machine.rules.london && code[0] === 0xef) {
    callee.exception = new VmError('INVALID_CODE', 'invalid code: must not begin with 0xef');
  }
  if (callee.isRevert) return;
  const cost = code.length * CREATE_DATA;
  const left = callee.energyLimit - callee.energyUsed;
  if (left < cost) {
    callee.exception = new VmError(
      'OUT_OF_ENERGY',
      `Not enough energy for 'No energy to save just created contract code' executing: needEnergy[${cost}], leftEnergy[${left}];`,
    );
    return;
  }
  callee.energyUsed += cost;
  if (callee.exception === undefined) saveCode(machine, address, code);
}

/** Empty code has no row. Reference: RepositoryImpl.saveCode. */
export function saveCode({ state, rules }: Machine, address: Address, code: Uint8Array): void {
  if (code.length > 0) state.code.put(address, code);
  if (rules.constantinople) state.contracts.toWrite(address)!.codeHash = keccak256(code);
}

/** Energy that may be given to a call: all, or all but a 64th in contracts since the compatible rules. */
export function energyForCall(frame: Frame, compatibleEvm: boolean, available: number): number {
  return compatibleEvm && frame.contractVersion === 1 ? available - Math.floor(available / 64) : available;
}
const CONTRACT = AccountType.Contract;
