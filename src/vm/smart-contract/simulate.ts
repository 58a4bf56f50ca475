import {
  AccountType,
  TransactionContractContractType as ContractType,
  ResourceReceipt,
  type TransactionInfoLog,
  type TransferContract,
} from '../../codec/generated/messages.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { adjustBalance } from '../../state-transition/balances/balances.js';
import { refuse } from '../../state-transition/errors.js';
import { rememberParent } from '../../state-transition/state/block-hash-history.js';
import { newAccount, type State } from '../../state-transition/state/state.js';
import type { BlockContext, TransactionContext } from '../../state-transition/transaction.js';
import type { VmError } from '../../state-transition/vm-error.js';
import type { VmHooks } from '../machine/hooks.js';
import { executeSmartContract, noteEnergy } from './execute.js';
import { sharedInterpreter } from './machine.js';
import { deleteContracts, settleEnergy } from './settle.js';

/** Result of a simulated transaction. */
export interface SimulatedRun {
  readonly energyUsed: bigint;
  readonly isRevert: boolean;
  /** Text of a failure or revert; null for success. */
  readonly message: string | null;
  readonly exception: VmError | undefined;
  readonly returnData: Uint8Array;
  readonly logs: readonly TransactionInfoLog[];
  /** Address of the called or created contract, 21 bytes; empty for a transfer. */
  readonly contractAddress: Uint8Array;
}

export interface SimulateOptions {
  /** Returns the id of a block of the chain. */
  blockId(number: number): Uint8Array | undefined;
  readonly hooks?: VmHooks | undefined;
  /** Time at which a program fails with OUT_OF_TIME. */
  readonly deadline: Deadline;
  /** Energy limit of the program. If undefined, caller and creator pay for the energy, up to the fee limit. */
  readonly energy: bigint | undefined;
}

/**
 * Returns true if a call runs a program: it creates a contract (empty address), or it calls a contract that has code.
 */
export function runsProgram(state: State, contractAddress: Uint8Array): boolean {
  if (contractAddress.length === 0) return true;
  const address = toAddress(contractAddress);
  return state.contracts.has(address) && (state.code.get(address)?.length ?? 0) > 0;
}

/** Prepares the state for a new block on top of the head. */
export function beginSimulatedBlock(state: State, parent: { number: number; timeMs: number; id: Uint8Array }): void {
  const { properties } = state;
  properties.set('latest_block_header_number', BigInt(parent.number));
  properties.set('latest_block_header_timestamp', BigInt(parent.timeMs));
  properties.set('BLOCK_ENERGY_USAGE', 0n);
  rememberParent(state, parent.number + 1, parent.id);
}

/**
 * Runs an unsigned transaction: a creation, a call, or a transfer of SUN. The effects remain in the state, so the
 * caller must revert them. Charges energy only if the option `energy` is undefined. Does not charge bandwidth or the
 * fee for a new account. If the program fails, its error is in the result.
 * @throws {ChainError} the transaction is invalid; also any error of a tracer
 * @throws {UndecidableError} this node cannot determine the result
 */
export function simulateTransaction(
  state: State,
  context: TransactionContext & { readonly block: BlockContext },
  { blockId, hooks, deadline, energy }: SimulateOptions,
): SimulatedRun {
  const { contractType, parameter } = context.transaction;
  if (contractType === ContractType.TransferContract) return transfer(state, parameter as TransferContract);
  const run = executeSmartContract(state, context, {
    interpreter: sharedInterpreter(),
    blockId,
    hooks,
    deadline,
    keepsEffects: true,
    ...(energy !== undefined && { constantEnergy: Number(energy) }),
  });
  if (energy === undefined) {
    const receipt = new ResourceReceipt();
    noteEnergy(run, receipt);
    settleEnergy(state, context, run, receipt);
  } else deleteContracts(state, run.deleted);
  return { ...run, message: run.isRevert ? 'REVERT opcode executed' : run.runtimeError };
}

function transfer(state: State, { ownerAddress, toAddress: receiver, amount }: TransferContract): SimulatedRun {
  if (amount < 0n) refuse('callValue must be >= 0');
  if (amount > 0n) moveSun(state, toAddress(ownerAddress), toAddress(receiver), amount);
  return {
    energyUsed: 0n,
    isRevert: false,
    message: null,
    exception: undefined,
    returnData: EMPTY_BYTES,
    logs: [],
    contractAddress: EMPTY_BYTES,
  };
}

function moveSun(state: State, from: Address, to: Address, amount: bigint): void {
  if ((state.account(from)?.balance ?? 0n) < amount) refuse('balance is not sufficient.');
  if (!state.accounts.has(to)) state.putAccount(to, newAccount(to, { type: AccountType.Normal }));
  adjustBalance(state, from, -amount);
  adjustBalance(state, to, amount);
}
