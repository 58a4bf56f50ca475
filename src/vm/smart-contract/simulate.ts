import { AccountType } from '../../log/codec/generated/messages.js';
import { type Address, toAddress } from '../../log/domain/address.js';
import { EMPTY_BYTES } from '../../log/domain/bytes.js';
import { adjustBalance } from '../balances.js';
import { refuse } from '../errors.js';
import { newAccount, type State } from '../state/state.js';
import {
  type ConstantCall,
  type ConstantContext,
  type ConstantLimits,
  type ConstantResult,
  callConstant,
} from './constant.js';
import { deleteContracts } from './settle.js';

/** How a simulated call ended. */
export type SimulatedRun = Pick<
  ConstantResult,
  'energyUsed' | 'isRevert' | 'message' | 'exception' | 'returnData' | 'logs' | 'contractAddress'
>;

/** Whether a call runs a program: a creation, or one of an account that has code. */
export function runsProgram(state: State, contractAddress: Uint8Array): boolean {
  if (contractAddress.length === 0) return true;
  const address = toAddress(contractAddress);
  return state.contracts.has(address) && (state.code.get(address)?.length ?? 0) > 0;
}

/**
 * Runs a call as a transaction would be, but for what it costs: nobody pays, and what it did stays in the state until its caller
 * takes it back. An address without a program is given the value, in SUN.
 * @throws {ChainError} a call that may not start. A failure inside the program is in the result
 */
export function simulateCall(
  state: State,
  call: ConstantCall,
  context: Omit<ConstantContext, 'keepsEffects'>,
  limits: ConstantLimits,
): SimulatedRun {
  if (!runsProgram(state, call.contractAddress)) return transfer(state, call);
  const run = callConstant(state, call, { ...context, keepsEffects: true }, limits);
  if (run.message === null) deleteContracts(state, run.deleted);
  return run;
}

const TRANSFERRED: Omit<SimulatedRun, 'contractAddress'> = {
  energyUsed: 0n,
  isRevert: false,
  message: null,
  exception: undefined,
  returnData: EMPTY_BYTES,
  logs: [],
};

function transfer(state: State, { owner, contractAddress, callValue }: ConstantCall): SimulatedRun {
  if (callValue < 0n) refuse('callValue must be >= 0');
  if (callValue > 0n) moveSun(state, toAddress(owner), toAddress(contractAddress), callValue);
  return { ...TRANSFERRED, contractAddress };
}

function moveSun(state: State, from: Address, to: Address, amount: bigint): void {
  if ((state.account(from)?.balance ?? 0n) < amount) refuse('balance is not sufficient.');
  if (!state.accounts.has(to)) state.putAccount(to, newAccount(to, { type: AccountType.Normal }));
  adjustBalance(state, from, -amount);
  adjustBalance(state, to, amount);
}
