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

/** Fields of the transaction of a simulated call. Reference block and time make the transaction id unique. */
interface UnsentForm {
  /** Id of the parent block. The transaction refers to this block (TAPOS). */
  readonly parentId: Uint8Array;
  /** Unix time in milliseconds. */
  readonly timeMs: number;
  /** Fee limit in SUN; 0 if no fee is paid. */
  readonly feeLimit: bigint;
}

/**
 * Returns the transaction for a call. It is a contract creation, a contract call, or a transfer if the receiver is not
 * a contract.
 */
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

/** Checks that constant calls are enabled. @throws {ChainError} this node does not allow them */
export function requireConstant({ settings }: ApiContext): void {
  if (!settings.supportsConstant) refuse('this node does not support constant');
}

interface SimulatedCallOptions extends Pick<SimulateOptions, 'hooks' | 'deadline'> {
  /** Energy limit that the client requests. The energy limit of the node also applies. */
  readonly energyMax?: bigint | undefined;
  /** Block fields that a program sees during the call in place of the fields of the head block. */
  readonly block?: SeenBlock | undefined;
}

/**
 * Runs a call without a fee, and keeps its changes in the view's state. The caller must revert the changes in the same
 * turn of the event loop. If the program fails, the result contains the failure.
 * @throws {ChainError} the call cannot start
 * @throws errors of `hooks`
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
