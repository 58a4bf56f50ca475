import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { max64, min64 } from '../../primitives/int64.js';
import { refuse } from '../../state-transition/errors.js';
import type { State } from '../../state-transition/state/state.js';
import type { BlockContext, DecodedTransaction } from '../../state-transition/transaction.js';
import type { Interpreter } from '../machine/machine.js';
import { executeSmartContract, type VmRun } from './execute.js';
import { sharedInterpreter } from './machine.js';

/** A call that changes nothing; without contract address its data is init code that is run. */
export interface ConstantCall {
  readonly owner: Uint8Array;
  readonly contractAddress: Uint8Array;
  readonly data: Uint8Array;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  /** SUN; above 0 it bounds the energy beside the node's own limit. */
  readonly feeLimit: bigint;
  /** Id of the transaction that the call would be: addresses and hashes follow from it. */
  transactionId(): Uint8Array;
}

export interface ConstantLimits {
  /** `vm.maxEnergyLimitForConstant` */
  readonly energy: bigint;
  /** When the call ends with OUT_OF_TIME; undefined: never. */
  readonly deadline?: Deadline | undefined;
}

export interface ConstantContext {
  /** Block that the call sees itself in: the head of the view. */
  readonly block: BlockContext;
  blockId(number: number): Uint8Array | undefined;
  readonly interpreter?: Interpreter;
}

export interface ConstantResult extends VmRun {
  /** Text for the caller: of a failure, or that the call was reverted; null when it ended well. */
  readonly message: string | null;
}

/**
 * Runs a call on a view and takes everything back. The state must not be shared with a writer.
 * Reference: Wallet.triggerConstantContract, callConstantContract.
 * @throws {ChainError} a call that may not start. A failure inside the program is in the result: `exception`
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
  /** Energy that a fee limit must pay for; undefined when no limit lets the call succeed. */
  readonly energyRequired: bigint | undefined;
}

/** SUN to which the search goes down. */
const STEP = 1_000_000n;

/**
 * Finds the fee limit that a call needs, to one TRX. Reference: Wallet.estimateEnergy.
 * @param retries times that a timeout is tried again
 * @throws {ChainError | VmError} OUT_OF_TIME when the retries are used up
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
  let low = price * first.energyUsed;
  const probe = (feeLimit: bigint) => {
    if (attempt(feeLimit).message === null) high = feeLimit;
    else low = feeLimit;
  };
  if (low * 2n < high) probe(low * 2n);
  while (low + STEP < high) probe((low + high) / 2n);
  const result = callConstant(state, { ...call, feeLimit: high }, context, limits());
  const energyRequired = BigInt(Math.ceil(Number(high) / Number(price)));
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

/** A transaction that nobody signed or sent: what executing reads of one. */
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
