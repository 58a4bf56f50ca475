import {
  TransactionContractContractType as ContractType,
  TransferContract,
  type TriggerSmartContract,
} from '../../codec/generated/messages.js';
import { fromInt64 } from '../../primitives/bytes.js';
import { min64 } from '../../primitives/int64.js';
import { refuse } from '../../state-transition/errors.js';
import type { State } from '../../state-transition/state/state.js';
import type { BlockContext, DecodedTransaction } from '../../state-transition/transaction.js';
import { decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';
import {
  runsProgram,
  type SimulatedRun,
  type SimulateOptions,
  simulateTransaction,
} from '../../vm/smart-contract/simulate.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import { rawOf, wrapContract } from './build-transaction.js';
import { contextOf, deploymentOf, type SeenBlock } from './call-contract.js';

/** What tells apart transactions that are the same otherwise, and bounds what they cost. */
interface UnsentForm {
  /** Id of the block that it refers to. */
  readonly parentId: Uint8Array;
  /** ms since 1970. */
  readonly timeMs: number;
  /** SUN; 0 where nothing is paid. */
  readonly feeLimit: bigint;
}

/** The transaction that a call would be: a creation, a call, or, where no program is called, a transfer. */
export function unsentTransaction(state: State, message: TriggerSmartContract, form: UnsentForm): DecodedTransaction {
  const { contractAddress, ownerAddress, callValue } = message;
  const transaction =
    contractAddress.length === 0
      ? wrapContract(ContractType.CreateSmartContract, deploymentOf(message))
      : runsProgram(state, contractAddress)
        ? wrapContract(ContractType.TriggerSmartContract, message)
        : wrapContract(
            ContractType.TransferContract,
            Object.assign(new TransferContract(), { ownerAddress, toAddress: contractAddress, amount: callValue }),
          );
  const raw = rawOf(transaction);
  raw.refBlockBytes = form.parentId.subarray(6, 8);
  raw.refBlockHash = form.parentId.subarray(8, 16);
  raw.timestamp = BigInt(form.timeMs);
  raw.feeLimit = form.feeLimit;
  return decodeTransaction(transaction);
}

/** @throws {ChainError} this node answers no calls */
export function requireConstant({ settings }: ApiContext): void {
  if (!settings.supportsConstant) refuse('this node does not support constant');
}

interface SimulatedCallOptions extends Pick<SimulateOptions, 'hooks' | 'deadline'> {
  /** Energy that the caller sets; bounded by the node's own. */
  readonly energyMax?: bigint | undefined;
  /** What the call sees of its block, where it is not the view's head. */
  readonly block?: SeenBlock | undefined;
}

/**
 * Runs a call for nothing, with its effects left in the view's state: the caller takes them back, in the same turn.
 * @throws {ChainError} a call that may not start; what a watcher throws. A failure inside is in the result
 */
export function simulateCall(
  api: ApiContext,
  view: ChainView,
  message: TriggerSmartContract,
  { hooks, deadline, energyMax, block: seen }: SimulatedCallOptions,
): SimulatedRun {
  requireConstant(api);
  const { block: head, blockId } = contextOf(view);
  const block: BlockContext = { ...head, ...seen, isSigned: false };
  const parentId = view.blockIdAt(view.headNumber) ?? fromInt64(0n);
  const transaction = unsentTransaction(view.state, message, { parentId, timeMs: api.now(), feeLimit: 0n });
  const own = api.settings.constantEnergyMax;
  const energy = energyMax === undefined ? own : min64(energyMax, own);
  return simulateTransaction(view.state, { transaction, block }, { blockId, hooks, deadline, energy });
}
