import {
  TransactionContractContractType as ContractType,
  type CreateSmartContract,
  type TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { contractAmount, contractRecipient } from '../../../encoding/contract-types/read-contract.js';
import { itemAt } from '../../../primitives/assert.js';
import { EMPTY_BYTES } from '../../../primitives/bytes.js';
import { isSmartContract } from '../../../state-transition/system-contracts/table.js';
import type { DecodedTransaction } from '../../../state-transition/transaction.js';
import type { VmRun } from '../../../vm/smart-contract/execute.js';
import { replayBlock } from '../../../vm/tracing/replay-block.js';
import { pastView } from '../block-choice.js';
import { type BlockWithReceipts, contentOf } from '../block-content.js';
import type { RpcContext } from '../methods/rpc-context.js';
import { address20, data } from '../quantities.js';
import { blockNotStored } from '../rpc-error.js';
import type { TracedOutcome, TracedPosition, Tracer } from './tracer.js';

/** Transactions to trace, from index `first` to index `last`, and a function that creates the tracer of each. */
interface TracedPart {
  readonly first: number;
  readonly last: number;
  tracerOf(position: TracedPosition): Tracer;
}

/**
 * Executes a block again up to transaction `last`. Traces the transactions from `first` on, each with its own tracer.
 * @returns the result of each tracer, as JSON
 * @throws {RpcError} the state before the block is not stored, or a trace exceeds its limits
 */
export function traceBlock(
  context: RpcContext,
  content: BlockWithReceipts,
  { first, last, tracerOf }: TracedPart,
): string[] {
  const { api } = context;
  const view = api.view(context.view);
  const { decoded: block } = content;
  const answers: string[] = [];
  replayBlock({
    state: pastView(api, block.number - 1).state,
    block,
    last,
    blockId: (number) => (number < block.number ? view.blockIdAt(number) : undefined),
    watcherOf: (index) => {
      if (index < first) return undefined;
      const tracer = tracerOf(tracedPositionOf(content, index));
      return {
        hooks: tracer.hooks,
        ended: (run, state, before) => {
          answers.push(tracer.answer(outcomeOf(context, content, index, run), { state, before }));
        },
      };
    },
  });
  return answers;
}

/** Returns the block at a height, for tracing. @throws {RpcError} the block is not stored */
export function storedTracedBlock({ api, view: name }: RpcContext, number: number): BlockWithReceipts {
  const view = api.view(name);
  if (view.block(number) === undefined) throw blockNotStored(number);
  return contentOf(view, number);
}

/** Returns the position of a transaction in its block, in the form that traces show. */
export function tracedPositionOf({ decoded: block }: BlockWithReceipts, index: number): TracedPosition {
  return {
    blockHash: data(block.id),
    blockNumber: block.number,
    transactionHash: data(itemAt(block.transactions, index).id),
    transactionPosition: index,
  };
}

/**
 * Returns the outcome of a traced transaction.
 * @param run result of the program; undefined if no program ran
 */
export function outcomeOf(
  { api, view }: RpcContext,
  { decoded: block, infos }: BlockWithReceipts,
  index: number,
  run: VmRun | undefined,
): TracedOutcome {
  const transaction = itemAt(block.transactions, index);
  const { addressPrefix } = api.settings;
  const owner = (transaction.parameter as { ownerAddress?: Uint8Array }).ownerAddress ?? EMPTY_BYTES;
  return {
    energyUsed: run?.energyUsed ?? 0n,
    isFailed: run !== undefined && (run.hasException || run.isRevert),
    failure: run?.runtimeError ?? null,
    returnData: run?.returnData ?? EMPTY_BYTES,
    from: address20(owner, addressPrefix),
    to: address20(contractRecipient(transaction), addressPrefix),
    value: contractAmount(transaction, () => infos[index], api.view(view).state),
    input: inputOf(transaction),
  };
}

/** Returns true if the transaction calls or creates a smart contract. */
export function hasProgram({ contractType }: DecodedTransaction): boolean {
  return isSmartContract(contractType);
}

function inputOf({ contractType, parameter }: DecodedTransaction): Uint8Array {
  if (contractType === ContractType.TriggerSmartContract) return (parameter as TriggerSmartContract).data;
  if (contractType !== ContractType.CreateSmartContract) return EMPTY_BYTES;
  return (parameter as CreateSmartContract).newContract?.bytecode ?? EMPTY_BYTES;
}
