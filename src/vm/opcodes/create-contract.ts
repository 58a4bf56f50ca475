import { AccountAccountResource, AccountType, SmartContract } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { EMPTY_BYTES, utf8 } from '../../primitives/bytes.js';
import { validateTrxMove } from '../../state-transition/balances/transfers.js';
import { ContractValidateError } from '../../state-transition/errors.js';
import { failure, longRange, VmError } from '../../state-transition/vm-error.js';
import { putContract, refusedCode, saveCode } from '../machine/contract-rows.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { energyForCall } from './energy.js';
import { CREATE_DATA } from './prices.js';

/** Operands of CREATE and CREATE2. Reference: Program.createContractImpl. */
interface CreateRequest {
  readonly kind: 'CREATE' | 'CREATE2';
  readonly value: bigint;
  readonly code: Uint8Array;
  readonly address: Address;
}

/**
 * Creates a contract. Changes the energy of the caller's frame.
 * @returns the address as the operation pushes it, 21 bytes; 0 if the creation fails
 * @throws {VmError} the calling program fails too, for example because the value exceeds 64 bits
 */
export function createContract(machine: Machine, frame: CallFrame, request: CreateRequest): bigint {
  const { state, rules, accounts } = machine;
  const { address, code: initCode } = request;
  const sender = frame.context;
  if (BigInt.asIntN(64, request.value) !== request.value) throw longRange();
  const endowment = request.value;
  if (accounts.balance(sender) < endowment) return 0n;
  const existing = accounts.get(address);
  const isOccupied = existing !== undefined && (!rules.constantinople || state.contracts.has(address));
  const depth = frame.depth + 1;
  const mark = machine.mark();
  if (!isOccupied) makeContract(machine, frame, request, depth);
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
  const granted = energyForCall(frame, rules.compatibleEvm, frame.energyLeft);
  frame.energyUsed += granted;
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
    energyLimit: granted,
    contractVersion: rules.compatibleEvm ? frame.contractVersion : 0,
    hash: internal.hash,
  });
  if (isOccupied) {
    const text = `Trying to create a contract with existing contract address: 0x${address}`;
    callee.exception = failure(text);
  } else if (initCode.length > 0) machine.playInside(callee, request.kind, { mark, internalStart: internalAt + 1 });
  if (isOccupied || initCode.length === 0) {
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
    // Before the multi-sign proposal, java-tron fails with a NullPointerException when it stores empty code.
    if (callee.returnData.length === 0 && !rules.multiSign) throw failure(null);
    machine.keep(mark, depth);
  }
  const left = granted - callee.energyUsed;
  if (left > 0) frame.energyUsed -= left;
  return callee.isRevert ? 0n : callee.contextWord;
}

function makeContract(machine: Machine, frame: CallFrame, { address, kind }: CreateRequest, depth: number): void {
  const { rules, accounts, transactionId } = machine;
  const existing = accounts.get(address);
  if (existing === undefined || !rules.constantinople) {
    accounts.create(address, depth, { type: CONTRACT, accountName: utf8('CreatedByContract') });
  } else {
    const account = accounts.writeExisting(address);
    account.type = CONTRACT;
    // java-tron writes the resource message of the account even if the message is empty.
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

/** Charges the energy for the code that the init code of a creation returned, and stores the code. */
function keepCode(machine: Machine, callee: CallFrame, address: Address): void {
  const code = callee.returnData;
  callee.exception = refusedCode(machine, code) ?? callee.exception;
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

const CONTRACT = AccountType.Contract;
