import { TransactionRet } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../domain/address.js';
import { present } from '../../../domain/assert.js';
import { decodeBlock } from '../../../vm/block/decoded-block.js';
import { energyPriceAt } from '../../../vm/resources/energy-price.js';
import type { ChainView } from '../../api-context.js';
import { contract } from '../../operations/smart-contracts.js';
import { heightOf, stateNamed } from '../block-choice.js';
import { method, type RpcEntry } from '../envelope.js';
import { type Json, JsonNumber } from '../json-text.js';
import { coinbase } from '../methods/coinbase.js';
import { orInPool, type RpcContext } from '../methods/rpc-context.js';
import { storageAt } from '../methods/state-methods.js';
import { anything } from '../parameters.js';
import { toPlain } from '../plain-json.js';
import { address20, data, quantity, readAddress, ZERO_HASH } from '../quantities.js';
import { internalError, invalidParams } from '../rpc-error.js';
import { simulationMethods } from '../simulation/simulation-methods.js';
import { readBlockOverrides } from './block-overrides.js';
import { readEthereumCall, readWhole, readWord } from './call-arguments.js';
import { ethereumCall, ethereumEstimate } from './calls.js';
import { readStateOverrides, withOverrides } from './state-overrides.js';

/** Methods as Ethereum's tools ask them; each stands in the place of the reference's of the same name. */
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
  const { addressPrefix } = api.settings;
  const chainId = (): Uint8Array => present(api.view(name).blockIdAt(0), 'every chain has a genesis').subarray(-4);
  return [
    method('eth_coinbase', [], () => address20(coinbase(api.view(name), producers), addressPrefix)),
    // Decimal, where java-tron has hex.
    method('net_version', [], () => String(BigInt(data(chainId())))),
  ];
}

function stateMethods(context: RpcContext): RpcEntry[] {
  const { settings } = context.api;
  const address = (of: Json): Uint8Array => readAddress(textOf(of, 'address'), settings);
  return [
    method<[Json, Json]>(
      'eth_getBalance',
      [anything, anything],
      (of, block) => quantity(stateNamed(context, block).state.account(toAddress(address(of)))?.balance ?? 0n),
      1,
    ),
    method<[Json, Json]>(
      'eth_getCode',
      [anything, anything],
      (of, block) => data(stateNamed(context, block).state.code.get(toAddress(address(of))) ?? new Uint8Array(0)),
      1,
    ),
    method<[Json, Json, Json]>(
      'eth_getStorageAt',
      [anything, anything, anything],
      (of, slot, block) => {
        const view = stateNamed(context, block);
        const key = address(of);
        const word = readWord(slot, 'storage key');
        const found = contract(view, key);
        return found === undefined ? ZERO_HASH : storageAt(view, found, key, word);
      },
      1,
    ),
    // Transactions of TRON refer to a block, and no account counts them: each has the number 0, and so has the next.
    method<[Json, Json]>(
      'eth_getTransactionCount',
      [anything, anything],
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
  const four = [anything, anything, anything, anything] as const;
  return [
    method<[Json, Json, Json, Json]>(
      'eth_call',
      four,
      (call, block, overrides, seen) =>
        orInPool(context, 'eth_call', [call, block, overrides, seen].map(toPlain), () => {
          const view = stateNamed(context, block);
          const args = readEthereumCall(call);
          const blockSeen = readBlockOverrides(seen, api.settings);
          return withOverrides(view.state, readStateOverrides(overrides, api.settings), () =>
            ethereumCall(api, view, args, blockSeen),
          );
        }),
      3,
    ),
    method<[Json, Json, Json]>(
      'eth_estimateGas',
      [anything, anything, anything],
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

/** Blocks that one question may cover: geth's bound. */
const FEE_BLOCKS_MAX = 1_024;
const PERCENTILES_MAX = 100;
const COUNT_DIGITS_MAX = 12;

function feeMethods(context: RpcContext): RpcEntry[] {
  return [
    // What energy costs is burnt: nobody can be tipped.
    method('eth_maxPriorityFeePerGas', [], () => '0x0'),
    method<[Json, Json, Json]>(
      'eth_feeHistory',
      [anything, anything, anything],
      (count, newest, percentiles) => feeHistory(context, count, newest, percentiles),
      1,
    ),
  ];
}

function feeHistory(context: RpcContext, count: Json, newest: Json, percentiles: Json): object {
  const view = context.api.view(context.view);
  const asked = Math.min(readWhole(count, COUNT_DIGITS_MAX, 'block count'), FEE_BLOCKS_MAX);
  const top = heightOf(context, newest instanceof JsonNumber ? newest.toString() : textOf(newest, 'block'));
  if (top === undefined) throw internalError('request beyond head block');
  if (percentiles !== null && !(Array.isArray(percentiles) && percentiles.length <= PERCENTILES_MAX))
    throw invalidParams('invalid reward percentiles');
  const oldest = Math.max(lowestBlock(view, top, asked), top - asked + 1, 0);
  const heights = Array.from({ length: top - oldest + 1 }, (_, at) => oldest + at);
  const { properties } = view.state;
  const prices = { history: properties.bytes('ENERGY_PRICE_HISTORY'), newest: properties.get('ENERGY_FEE') };
  const figures = heights.map((height) => figuresOf(view, height));
  const fees = figures.map(({ timeMs }) => quantity(energyPriceAt(prices, timeMs)));
  const energyMax = Number(context.api.settings.constantEnergyMax);
  return {
    oldestBlock: quantity(oldest),
    baseFeePerGas:
      asked === 0
        ? []
        : [
            ...fees,
            quantity(
              top === view.headNumber
                ? prices.newest
                : BigInt(present(fees.at(-1), 'a history has at least the next block')),
            ),
          ],
    gasUsedRatio: figures.map(({ energyUsed }) => energyUsed / Math.max(energyUsed, energyMax)),
    ...(percentiles !== null && { reward: heights.map(() => (percentiles as readonly Json[]).map(() => '0x0')) }),
  };
}

/** Height from which on the blocks below another are all there: an old part of the log may have left. */
function lowestBlock(view: ChainView, top: number, count: number): number {
  for (let height = top; height > top - count && height >= 0; height--)
    if (view.blockIdAt(height) === undefined || view.block(height) === undefined) return height + 1;
  return 0;
}

function figuresOf(view: ChainView, height: number): { readonly timeMs: bigint; readonly energyUsed: number } {
  const { block, results } = present(view.block(height), 'every height up to the head has a block');
  const infos = TransactionRet.decode(results).transactioninfo;
  const energyUsed = infos.reduce((sum, { receipt }) => sum + (receipt?.energyUsageTotal ?? 0n), 0n);
  return { timeMs: decodeBlock(block).raw.timestamp, energyUsed: Number(energyUsed) };
}
