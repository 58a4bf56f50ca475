import { toAddress } from '../../../primitives/address.js';
import { present } from '../../../primitives/assert.js';
import { StoredBlock } from '../../../state-transition/block/stored-block.js';
import { energyPriceAt } from '../../../state-transition/resources/energy-price.js';
import { requireSmallAnswer, SCANNED } from '../../context/answer-size.js';
import type { ChainView } from '../../context/api-context.js';
import { contract } from '../../operations/smart-contracts.js';
import { heightOfTag, stateNamed } from '../block-choice.js';
import { type RpcEntry, rpcMethod } from '../envelope.js';
import { type Json, JsonNumber } from '../json-text.js';
import { coinbase } from '../methods/coinbase.js';
import { orInPool, type RpcContext } from '../methods/rpc-context.js';
import { storageAt } from '../methods/state-methods.js';
import { anyParameter } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { address20, data, quantity, readHexAddress, ZERO_HASH } from '../quantities.js';
import { blockNotStored, internalError, invalidParams } from '../rpc-error.js';
import { simulationMethods } from '../simulation/simulation-methods.js';
import { readBlockOverrides } from './block-overrides.js';
import { readEthereumCall, readHexWord, readWhole } from './call-arguments.js';
import { ethereumCall, ethereumEstimate } from './calls.js';
import { readStateOverrides, withOverrides } from './state-overrides.js';

/**
 * Returns the methods in the form that Ethereum tools expect. Such a method replaces java-tron's method of the same
 * name.
 */
export function ethereumMethods(context: RpcContext): RpcEntry[] {
  return [
    ...nodeMethods(context),
    ...stateMethods(context),
    ...callMethods(context),
    ...feeMethods(context),
    ...simulationMethods(context),
  ];
}

function nodeMethods({ api, view: name, producers }: RpcContext): RpcEntry[] {
  const { addressPrefix, chainId: configured } = api.settings;
  const ownId = (): Uint8Array => present(api.view(name).blockIdAt(0), 'every chain has a genesis').subarray(-4);
  return [
    rpcMethod('eth_coinbase', [], () => address20(coinbase(api.view(name), producers), addressPrefix)),
    // Ethereum tools expect a decimal number. java-tron returns hex.
    rpcMethod('net_version', [], () => String(configured ?? BigInt(data(ownId())))),
  ];
}

function stateMethods(context: RpcContext): RpcEntry[] {
  const { settings } = context.api;
  const address = (of: Json): Uint8Array => readHexAddress(textOf(of, 'address'), settings);
  return [
    rpcMethod<[Json, Json]>(
      'eth_getBalance',
      [anyParameter, anyParameter],
      (of, block) => quantity(stateNamed(context, block).state.account(toAddress(address(of)))?.balance ?? 0n),
      1,
    ),
    rpcMethod<[Json, Json]>(
      'eth_getCode',
      [anyParameter, anyParameter],
      (of, block) => data(stateNamed(context, block).state.code.get(toAddress(address(of))) ?? new Uint8Array(0)),
      1,
    ),
    rpcMethod<[Json, Json, Json]>(
      'eth_getStorageAt',
      [anyParameter, anyParameter, anyParameter],
      (of, slot, block) => {
        const view = stateNamed(context, block);
        const key = address(of);
        const word = readHexWord(slot, 'storage key');
        const found = contract(view, key);
        return found === undefined ? ZERO_HASH : storageAt(view, found, key, word);
      },
      1,
    ),
    // TRON has no account nonces: a transaction refers to a recent block instead. The transaction count is therefore
    // always 0.
    rpcMethod<[Json, Json]>(
      'eth_getTransactionCount',
      [anyParameter, anyParameter],
      (of, block) => {
        address(of);
        stateNamed(context, block);
        return '0x0';
      },
      1,
    ),
  ];
}

function textOf(value: Json, what: string): string {
  if (typeof value === 'string') return value;
  throw invalidParams(`invalid ${what}`);
}

function callMethods(context: RpcContext): RpcEntry[] {
  const { api } = context;
  const four = [anyParameter, anyParameter, anyParameter, anyParameter] as const;
  return [
    rpcMethod<[Json, Json, Json, Json]>(
      'eth_call',
      four,
      (call, block, overrides, blockOverrides) =>
        orInPool(context, 'eth_call', [call, block, overrides, blockOverrides].map(toPlain), () => {
          const view = stateNamed(context, block);
          const args = readEthereumCall(call);
          const seenBlock = readBlockOverrides(blockOverrides, api.settings);
          return withOverrides(view.state, readStateOverrides(overrides, api.settings), () =>
            ethereumCall(api, view, args, seenBlock),
          );
        }),
      3,
    ),
    rpcMethod<[Json, Json, Json]>(
      'eth_estimateGas',
      [anyParameter, anyParameter, anyParameter],
      (call, block, overrides) =>
        orInPool(context, 'eth_estimateGas', [call, block, overrides].map(toPlain), () => {
          const view = stateNamed(context, block);
          const args = readEthereumCall(call);
          return withOverrides(view.state, readStateOverrides(overrides, api.settings), () =>
            ethereumEstimate(api, view, args),
          );
        }),
      2,
    ),
  ];
}

/** Maximum number of blocks per request of `eth_feeHistory`, as in geth. */
const FEE_BLOCKS_MAX = 1_024;
const PERCENTILES_MAX = 100;
const COUNT_DIGITS_MAX = 12;

function feeMethods(context: RpcContext): RpcEntry[] {
  return [
    // TRON burns energy fees, so there is no tip.
    rpcMethod('eth_maxPriorityFeePerGas', [], () => '0x0'),
    rpcMethod<[Json, Json, Json]>(
      'eth_feeHistory',
      [anyParameter, anyParameter, anyParameter],
      (count, newest, percentiles) =>
        orInPool(context, 'eth_feeHistory', [count, newest, percentiles].map(toPlain), () =>
          feeHistory(context, count, newest, percentiles),
        ),
      1,
    ),
  ];
}

function feeHistory(context: RpcContext, count: Json, newest: Json, percentiles: Json): object {
  const view = context.api.view(context.view);
  const requested = Math.min(readWhole(count, COUNT_DIGITS_MAX, 'block count'), FEE_BLOCKS_MAX);
  const top = heightOfTag(context, newest instanceof JsonNumber ? newest.toString() : textOf(newest, 'block'));
  if (top === undefined) throw internalError('request beyond head block');
  checkPercentiles(percentiles);
  const { properties } = view.state;
  const prices = { history: properties.bytes('ENERGY_PRICE_HISTORY'), newest: properties.get('ENERGY_FEE') };
  const figures = feesOf(view, top, requested);
  if (requested > 0 && figures.length === 0) throw blockNotStored(top);
  const oldest = top - figures.length + 1;
  const fees = figures.map(({ timeMs }) => quantity(energyPriceAt(prices, timeMs)));
  const energyMax = Number(context.api.settings.constantEnergyMax);
  return {
    oldestBlock: quantity(oldest),
    baseFeePerGas:
      requested === 0
        ? []
        : [
            ...fees,
            quantity(
              top === view.headNumber ? prices.newest : BigInt(present(fees.at(-1), 'the fee list is not empty')),
            ),
          ],
    gasUsedRatio: figures.map(({ energyUsed }) => energyUsed / Math.max(energyUsed, energyMax)),
    ...(percentiles !== null && { reward: figures.map(() => (percentiles as readonly Json[]).map(() => '0x0')) }),
  };
}

/**
 * Checks the percentiles of tips. As in geth, they are numbers from 0 to 100 in ascending order.
 * @throws {RpcError} the percentiles are invalid
 */
function checkPercentiles(percentiles: Json): void {
  if (percentiles === null) return;
  if (!Array.isArray(percentiles) || percentiles.length > PERCENTILES_MAX)
    throw invalidParams(`invalid reward percentiles; use a list of at most ${PERCENTILES_MAX} numbers`);
  let last = 0;
  for (const item of percentiles as readonly Json[]) {
    const percentile = item instanceof JsonNumber ? Number(item.text) : Number.NaN;
    if (!(percentile >= last && percentile <= 100))
      throw invalidParams('invalid reward percentiles; use ascending numbers from 0 to 100');
    last = percentile;
  }
}

/** Time of a block, and energy that the transactions of the block used. */
interface BlockFees {
  readonly timeMs: bigint;
  readonly energyUsed: number;
}

/**
 * Reads at most `count` blocks from height `top` downwards, as far as they are stored. Returns them oldest first.
 * @throws {BudgetExceededError} the blocks exceed the size limit of the API thread; a thread of the call pool must read
 * them
 */
function feesOf(view: ChainView, top: number, count: number): readonly BlockFees[] {
  const found: BlockFees[] = [];
  let bytes = 0;
  for (let height = top; height > top - count && height >= 0; height--) {
    const stored = view.blockIdAt(height) && view.block(height);
    if (stored === undefined) break;
    const block = new StoredBlock(stored);
    bytes += block.blockBytes + block.resultBytes;
    requireSmallAnswer(view, bytes, SCANNED);
    const { header, receiptFigures } = block;
    const energyUsed = receiptFigures.reduce((sum, { energy }) => sum + energy, 0n);
    found.push({ timeMs: header.timestamp, energyUsed: Number(energyUsed) });
  }
  return found.reverse();
}
