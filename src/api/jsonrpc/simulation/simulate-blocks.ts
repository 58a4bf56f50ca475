import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  ResourceReceipt,
  TransactionInfo,
  type TransactionInfoLog,
} from '../../../codec/generated/messages.js';
import { type Address, toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES } from '../../../primitives/bytes.js';
import { min64 } from '../../../primitives/int64.js';
import {
  type DecodedBlock,
  decodeBlock,
  merkleRoot,
  toDecodedBlock,
} from '../../../state-transition/block/decoded-block.js';
import type { BlockContext, DecodedTransaction } from '../../../state-transition/transaction.js';
import { beginSimulatedBlock, type SimulatedRun, simulateTransaction } from '../../../vm/smart-contract/simulate.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { requireConstant, unsentTransaction } from '../../operations/simulate-call.js';
import { gasOf, triggerMessageOf } from '../ethereum/calls.js';
import { applyOverride } from '../ethereum/state-overrides.js';
import { refusalOf } from '../methods/contract-calls.js';
import type { CallArguments } from '../parameters.js';
import { address20 } from '../quantities.js';
import { internalError, RpcError } from '../rpc-error.js';
import { CallRecorder } from '../tracing/call-recorder.js';
import type { TraceLimits } from '../tracing/trace-limits.js';
import { type BlockRequest, SimulationCode, type SimulationRequest } from './read-simulation.js';
import { logsWithTransfers } from './transfer-logs.js';

/** A simulated block with the outcome of each call. It has the form of a real block without a signature. */
export interface SimulatedBlock {
  readonly block: DecodedBlock;
  readonly infos: readonly TransactionInfo[];
  readonly calls: readonly SimulatedCall[];
}

/** Outcome of a simulated call. */
export interface SimulatedCall {
  readonly run: SimulatedRun;
  /** Logs of the call. Includes TRX transfers if `traceTransfers` is set. */
  readonly logs: readonly TransactionInfoLog[];
}

/** Estimated JSON size of a call, a block or a log, without its data, in characters. */
const CALL_CHARACTERS = 1_000;

/**
 * Runs blocks on top of a view. Each block starts from the state after the previous one. Reverts all changes at the
 * end.
 * @throws {RpcError} a call cannot start, or a limit is exceeded
 */
export function simulateBlocks(
  api: ApiContext,
  view: ChainView,
  request: SimulationRequest,
  limits: TraceLimits,
): readonly SimulatedBlock[] {
  const { state } = view;
  const mark = state.mark();
  try {
    requireConstant(api);
    return new Simulation(api, view, request, limits).run();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw refusalOf(error, ['ContractValidateException', 'VMIllegalException']);
  } finally {
    state.revertTo(mark);
  }
}

class Simulation {
  private readonly api: ApiContext;
  private readonly view: ChainView;
  private readonly request: SimulationRequest;
  private readonly limits: TraceLimits;
  private parent: DecodedBlock;
  private readonly simulated: SimulatedBlock[] = [];

  constructor(api: ApiContext, view: ChainView, request: SimulationRequest, limits: TraceLimits) {
    this.api = api;
    this.view = view;
    this.request = request;
    this.limits = limits;
    this.parent = decodeBlock(present(view.block(view.headNumber), 'a view has a head block').block);
  }

  run(): readonly SimulatedBlock[] {
    for (const block of this.request.blocks) {
      const simulatedBlock = this.block(block);
      this.simulated.push(simulatedBlock);
      this.parent = simulatedBlock.block;
    }
    return this.simulated;
  }

  private block(request: BlockRequest): SimulatedBlock {
    const { parent, limits } = this;
    const { state } = this.view;
    limits.checkTime();
    limits.add(CALL_CHARACTERS);
    beginSimulatedBlock(state, { number: parent.number, timeMs: parent.timeMs, id: parent.id });
    for (const override of request.overrides) applyOverride(state, override);
    const context: BlockContext = {
      number: request.number,
      timeMs: request.timeMs,
      witness: request.witness ?? parent.raw.witnessAddress,
      parentId: parent.id,
      isSigned: false,
    };
    const transactions: DecodedTransaction[] = [];
    const infos: TransactionInfo[] = [];
    const calls = request.calls.map((args, at) => {
      const [transaction, call] = this.call(args, at, context);
      transactions.push(transaction);
      infos.push(infoOf(transaction, call.run, context));
      return call;
    });
    return { block: assemble(transactions, context, parent), infos, calls };
  }

  private call(args: CallArguments, at: number, block: BlockContext): readonly [DecodedTransaction, SimulatedCall] {
    const { api, limits, request } = this;
    const { state } = this.view;
    // Checks the time limit before each call, because a short program ends before the interpreter checks the limit.
    limits.checkTime();
    const message = triggerMessageOf(args, api);
    const owner = toAddress(message.ownerAddress);
    this.requireFunds(owner, message.callValue);
    const gas = gasOf(args, api);
    const transaction = unsentTransaction(state, message, {
      parentId: block.parentId,
      // Distinct timestamps make the transaction ids of identical calls different. The addresses of created contracts
      // are then different too.
      timeMs: block.timeMs + at,
      feeLimit: request.validation ? this.feeLimit(gas) : 0n,
    });
    const { constantEnergyMax } = api.settings;
    const energy = gas === undefined ? constantEnergyMax : min64(gas, constantEnergyMax);
    const recorder = request.traceTransfers
      ? new CallRecorder({ onlyTopCall: false, withLog: true }, limits)
      : undefined;
    const run = simulateTransaction(
      state,
      { transaction, block },
      {
        blockId: (number) => this.blockId(number),
        hooks: recorder,
        deadline: limits.deadline,
        energy: request.validation ? undefined : energy,
      },
    );
    if (run.exception?.code === 'OUT_OF_TIME') throw internalError('simulation exceeds its time limit');
    const prefix = api.settings.addressPrefix;
    const outcome = {
      energyUsed: run.energyUsed,
      isFailed: run.message !== null,
      failure: run.message,
      returnData: run.returnData,
      from: address20(message.ownerAddress, prefix),
      to: address20(message.contractAddress, prefix),
      value: message.callValue,
      input: message.data,
    };
    const logs = recorder === undefined ? run.logs : logsWithTransfers(recorder.tree(outcome));
    const logCharacters = logs.reduce((sum, log) => sum + CALL_CHARACTERS + 2 * log.data.length, 0);
    limits.add(CALL_CHARACTERS + 2 * (run.returnData.length + message.data.length) + logCharacters);
    return [transaction, { run, logs }];
  }

  /** Checks that the sender can pay the value of the call. @throws {RpcError} the balance is too low */
  private requireFunds(owner: Address, value: bigint): void {
    const { state } = this.view;
    const { validation } = this.request;
    const account = state.account(owner);
    const balance = account?.balance ?? 0n;
    if (balance >= value && (account !== undefined || !validation)) return;
    const reason = balance < value ? `have ${balance} want ${value}` : 'account does not exist';
    throw new RpcError(
      SimulationCode.INSUFFICIENT_FUNDS,
      `insufficient funds for gas * price + value: address 0x${owner.slice(2)} ${reason}`,
    );
  }

  /**
   * Returns the fee limit in SUN: the cost of the requested energy, but at most the maximum fee limit of a transaction.
   */
  private feeLimit(gas: bigint | undefined): bigint {
    const { properties } = this.view.state;
    const most = properties.get('MAX_FEE_LIMIT');
    return gas === undefined ? most : min64(gas * properties.get('ENERGY_FEE'), most);
  }

  private blockId(number: number): Uint8Array | undefined {
    const { headNumber } = this.view;
    return number <= headNumber ? this.view.blockIdAt(number) : this.simulated[number - headNumber - 1]?.block.id;
  }
}

function infoOf(transaction: DecodedTransaction, run: SimulatedRun, block: BlockContext): TransactionInfo {
  const receipt = Object.assign(new ResourceReceipt(), {
    energyUsageTotal: run.energyUsed,
    result: run.message === null ? 1 : 2,
  });
  return Object.assign(new TransactionInfo(), {
    id: transaction.id,
    blockNumber: BigInt(block.number),
    blockTimeStamp: BigInt(block.timeMs),
    contractAddress: run.contractAddress,
    log: run.message === null ? [...run.logs] : [],
    receipt,
  });
}

function assemble(
  transactions: readonly DecodedTransaction[],
  { number, timeMs, witness }: BlockContext,
  parent: DecodedBlock,
): DecodedBlock {
  const messages = transactions.map(({ message }) => message);
  const rawData = Object.assign(new BlockHeaderRaw(), {
    number: BigInt(number),
    timestamp: BigInt(timeMs),
    parentHash: parent.id,
    witnessAddress: witness,
    version: parent.raw.version,
    txTrieRoot: merkleRoot(messages),
  });
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature: EMPTY_BYTES });
  return toDecodedBlock(Object.assign(new Block(), { transactions: messages, blockHeader }));
}
