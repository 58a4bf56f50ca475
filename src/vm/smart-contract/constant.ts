import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { max64, min64, wrap64 } from '../../primitives/int64.js';
import { refuse } from '../../state-transition/errors.js';
import type { State } from '../../state-transition/state/state.js';
import type { BlockContext, DecodedTransaction } from '../../state-transition/transaction.js';
import type { Interpreter } from '../machine/machine.js';
import { executeSmartContract, type VmRun } from './execute.js';
import { sharedInterpreter } from './machine.js';

/** A call whose effects are discarded. If it has no contract address, `data` is executed as init code. */
export interface ConstantCall {
  readonly owner: Uint8Array;
  readonly contractAddress: Uint8Array;
  readonly data: Uint8Array;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  /**
   * Fee limit in SUN. If it is above 0, it also limits the energy of the call, in addition to
   * `ConstantLimits.energy`.
   */
  readonly feeLimit: bigint;
  /**
   * Returns a transaction id for the call. Addresses of new contracts and hashes of internal transactions depend on
   * this id.
   */
  transactionId(): Uint8Array;
}

export interface ConstantLimits {
  /** Maximum energy of the call. Configured by `vm.maxEnergyLimitForConstant`. */
  readonly energy: bigint;
  /** Time at which the call fails with OUT_OF_TIME. If undefined, the call has no time limit. */
  readonly deadline?: Deadline | undefined;
}

export interface ConstantContext {
  /** Block in which the call runs: the head block of the view. */
  readonly block: BlockContext;
  blockId(number: number): Uint8Array | undefined;
  readonly interpreter?: Interpreter;
}

export interface ConstantResult extends VmRun {
  /** Text of a failure or revert for the caller; null for success. */
  readonly message: string | null;
}

/**
 * Runs a call on a view of the state and reverts its effects. No other code may write to this state during the call.
 * If the program fails, its error is in `exception` of the result. Reference: Wallet.triggerConstantContract,
 * callConstantContract.
 * @throws {ChainError} the call is invalid
 * @throws {UndecidableError} this node cannot determine the result
 */
export function callConstant(
  state: State,
  call: ConstantCall,
  { block, blockId, interpreter = sharedInterpreter() }: ConstantContext,
  limits: ConstantLimits,
): ConstantResult {
  const isDeployment = call.contractAddress.length === 0;
  if (!isDeployment && !state.contracts.has(toAddress(call.contractAddress))) refuse('Smart contract is not exist.');
  const transaction = isDeployment
    ? new UnsentTransaction(ContractType.CreateSmartContract, deploymentOf(call), call)
    : new UnsentTransaction(ContractType.TriggerSmartContract, triggerOf(call), call);
  const run = executeSmartContract(
    state,
    { transaction, block },
    {
      interpreter,
      blockId,
      constantEnergy: Number(energyOf(state, call, limits)),
      deadline: limits.deadline,
    },
  );
  const message = run.isRevert ? 'REVERT opcode executed' : run.runtimeError;
  return Object.assign(run, { message });
}

interface EnergyEstimate {
  readonly result: ConstantResult;
  /**
   * Energy that the fee limit must pay for, in energy units. Undefined if the call fails even with the maximum fee
   * limit, or if the last run fails.
   */
  readonly energyRequired: bigint | undefined;
}

/** Precision of the search for a fee limit, in SUN: one TRX. */
const STEP = 1_000_000n;

/**
 * Searches for the smallest fee limit with which a call succeeds, and then runs the call with it (the last run). The
 * precision is one TRX. Reference: Wallet.estimateEnergy.
 * @param retries maximum number of retries after timeouts, over all runs before the last one
 * @throws {ChainError | VmError} the call is invalid; OUT_OF_TIME: a timeout after all retries, or in the last run
 * @throws {UndecidableError} this node cannot determine the result
 */
export function estimateEnergy(
  state: State,
  call: ConstantCall,
  context: ConstantContext,
  limits: () => ConstantLimits,
  retries: number,
): EnergyEstimate {
  let retriesLeft = retries;
  const attempt = (feeLimit: bigint): ConstantResult => {
    for (;;) {
      const result = callConstant(state, { ...call, feeLimit }, context, limits());
      if (result.exception?.code !== 'OUT_OF_TIME') return result;
      if (--retriesLeft < 0) throw result.exception;
    }
  };
  const price = state.properties.get('ENERGY_FEE');
  let high = state.properties.get('MAX_FEE_LIMIT');
  const first = attempt(high);
  if (first.message !== null) return { result: first, energyRequired: undefined };
  let low = wrap64(price * first.energyUsed);
  const probe = (feeLimit: bigint) => {
    if (attempt(feeLimit).message === null) high = feeLimit;
    else low = feeLimit;
  };
  const twice = wrap64(low * 2n);
  if (twice < high) probe(twice);
  while (wrap64(low + STEP) < high) probe(wrap64(low + high) / 2n);
  const result = callConstant(state, { ...call, feeLimit: high }, context, limits());
  // The last run is not repeated after a timeout.
  if (result.exception?.code === 'OUT_OF_TIME') throw result.exception;
  const energyRequired = toLong(Math.ceil(Number(high) / Number(price)));
  return { result, energyRequired: result.message === null ? energyRequired : undefined };
}

function energyOf(state: State, { feeLimit }: ConstantCall, { energy }: ConstantLimits): bigint {
  return feeLimit > 0n ? min64(energy, feeLimit / max64(state.properties.get('ENERGY_FEE'), 1n)) : energy;
}

function deploymentOf({ owner, data, callValue, tokenValue, tokenId }: ConstantCall): CreateSmartContract {
  const newContract = Object.assign(new SmartContract(), {
    originAddress: owner,
    bytecode: data,
    callValue,
    consumeUserResourcePercent: 100n,
    originEnergyLimit: 1n,
  });
  return Object.assign(new CreateSmartContract(), {
    ownerAddress: owner,
    newContract,
    callTokenValue: tokenValue,
    tokenId,
  });
}

function triggerOf({
  owner,
  contractAddress,
  data,
  callValue,
  tokenValue,
  tokenId,
}: ConstantCall): TriggerSmartContract {
  return Object.assign(new TriggerSmartContract(), {
    ownerAddress: owner,
    contractAddress,
    data,
    callValue,
    callTokenValue: tokenValue,
    tokenId,
  });
}

/** An unsigned transaction with the fields that execution reads. */
class UnsentTransaction implements DecodedTransaction {
  readonly message: Transaction;
  readonly raw: TransactionRaw;
  readonly contract: TransactionContract;
  readonly contractType: number;
  readonly parameter: object;
  readonly owner: Address;
  readonly bytes = EMPTY_BYTES;
  readonly hash = EMPTY_BYTES;
  readonly size = 0;
  readonly sizeWithoutResult = 0;
  readonly resultSize = 0;
  private readonly call: ConstantCall;

  constructor(contractType: number, parameter: object, call: ConstantCall) {
    this.contractType = contractType;
    this.parameter = parameter;
    this.call = call;
    this.owner = toAddress(call.owner);
    this.contract = new TransactionContract();
    this.contract.type = contractType;
    this.raw = new TransactionRaw();
    this.raw.contract = [this.contract];
    this.raw.feeLimit = call.feeLimit;
    this.message = new Transaction();
    this.message.rawData = this.raw;
  }

  get id(): Uint8Array {
    return this.call.transactionId();
  }

  get idHex(): string {
    return toHex(this.id);
  }
}
