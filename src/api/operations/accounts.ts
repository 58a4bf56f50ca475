import {
  type Account,
  type AccountBalanceRequest,
  AccountBalanceResponse,
  AccountFreezeV2,
  AccountNetMessage,
  AccountResourceMessage,
  AccountTrace,
  BlockBalanceTrace,
  BlockBalanceTraceBlockIdentifier,
  ResourceCode,
} from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfText } from '../../java-compat/hash-map.js';
import { illegalArgument, JavaError } from '../../java-compat/java-error.js';
import { ADDRESS_BYTES, type Address, toAddress } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { equalBytes, fromInt64, toHex, toInt64, toUtf8 } from '../../primitives/bytes.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { totalBandwidthLimit, updateAllUsage } from '../../state-transition/resources/bandwidth.js';
import { totalEnergyLimit, updateEnergyUsage } from '../../state-transition/resources/energy.js';
import { allTronPower } from '../../state-transition/resources/stake.js';
import { resourceOf, type State } from '../../state-transition/state/state.js';
import type { ChainView } from '../context/api-context.js';

/**
 * Returns an account with its current resource usage. The times in the account are in milliseconds.
 * Reference: Wallet.getAccount.
 */
export function account(view: ChainView, address: Uint8Array): Account | undefined {
  const shown = shownAccount(view, toAddress(address));
  if (shown !== undefined) sortFrozenV2(shown);
  return shown;
}

/** Returns an account by its account id. Reference: Wallet.getAccountById. */
export function accountById(view: ChainView, id: Uint8Array): Account | undefined {
  const address = view.state.accountIdIndex.get(toHex(lowerCased(id)));
  return address === undefined ? undefined : shownAccount(view, toAddress(address));
}

/** Returns the bandwidth of an account. Reference: Wallet.getAccountNet. */
export function accountNet(view: ChainView, address: Uint8Array): AccountNetMessage | undefined {
  const found = readAccount(view, address);
  if (found === undefined) return undefined;
  return Object.assign(new AccountNetMessage(), bandwidthFields(view.state, found));
}

/** Returns bandwidth, energy and votes of an account. Reference: Wallet.getAccountResource. */
export function accountResource(view: ChainView, address: Uint8Array): AccountResourceMessage | undefined {
  const found = readAccount(view, address);
  if (found === undefined) return undefined;
  const { state } = view;
  updateEnergyUsage(state, found);
  const { properties } = state;
  const resource = resourceOf(found);
  return Object.assign(new AccountResourceMessage(), bandwidthFields(state, found), {
    totalTronPowerWeight: properties.get('TOTAL_TRON_POWER_WEIGHT'),
    energyLimit: totalEnergyLimit(state, found),
    energyUsed: resource.energyUsage,
    tronPowerUsed: found.votes.reduce((sum, { voteCount }) => sum + voteCount, 0n),
    tronPowerLimit: allTronPower(found) / SUN_PER_TRX,
    totalEnergyLimit: properties.get('TOTAL_ENERGY_CURRENT_LIMIT'),
    totalEnergyWeight: properties.get('TOTAL_ENERGY_WEIGHT'),
    storageLimit: resource.storageLimit,
    storageUsed: resource.storageUsage,
  });
}

/**
 * Returns the balance of an account after a block. Reference: Wallet.getAccountBalance.
 * @throws {JavaError} the request is invalid, or the block does not exist
 */
export function accountBalance(view: ChainView, request: AccountBalanceRequest): AccountBalanceResponse {
  if (request.accountIdentifier === undefined) throw illegalArgument('account_identifier is null');
  const { address } = request.accountIdentifier;
  if (address.length === 0) throw illegalArgument('account_identifier address is null');
  const block = checkBlock(view, request.blockIdentifier);
  // java-tron checks the length of an address only if it stores balance traces. Otherwise it accepts any length.
  if (view.state.rules.tracesBalances && address.length !== ADDRESS_BYTES) throw illegalArgument(null);
  const found = balanceAt(view.state, address, block.number);
  const blockIdentifier =
    found.number === block.number
      ? block
      : Object.assign(new BlockBalanceTraceBlockIdentifier(), {
          number: found.number,
          hash: present(view.blockIdAt(Number(found.number)), 'a balance was recorded at a block of the chain'),
        });
  return Object.assign(new AccountBalanceResponse(), { balance: found.balance, blockIdentifier });
}

/**
 * Returns the balance changes of a block. Reference: Wallet.getBlockBalance.
 * @throws {JavaError} the request is invalid, the block does not exist, or the state has no balance trace of the
 * block
 */
export function blockBalance(
  view: ChainView,
  request: BlockBalanceTraceBlockIdentifier | undefined,
): BlockBalanceTrace {
  const { number } = checkBlock(view, request);
  const row = view.state.balanceTraces.get(toHex(fromInt64(number)));
  if (row === undefined) {
    throw new JavaError('org.tron.core.exception.ItemNotFoundException', 'This block does not exist');
  }
  return BlockBalanceTrace.decode(row);
}

function readAccount(view: ChainView, address: Uint8Array): Account | undefined {
  return address.length === 0 ? undefined : importedAccount(view, toAddress(address));
}

function shownAccount(view: ChainView, address: Address): Account | undefined {
  const found = importedAccount(view, address);
  if (found === undefined) return undefined;
  const { state } = view;
  updateEnergyUsage(state, found);
  const { genesisTimeMs, slotMs } = state.rules;
  const toMs = (slots: bigint): bigint => BigInt(genesisTimeMs) + BigInt(slotMs) * slots;
  found.latestConsumeTime = toMs(found.latestConsumeTime);
  found.latestConsumeFreeTime = toMs(found.latestConsumeFreeTime);
  const resource = resourceOf(found);
  resource.latestConsumeTimeForEnergy = toMs(resource.latestConsumeTimeForEnergy);
  return found;
}

function importedAccount(view: ChainView, address: Address): Account | undefined {
  const found = view.state.account(address)?.clone();
  if (found === undefined) return undefined;
  importAssets(view, address, found);
  updateAllUsage(view.state, found);
  return found;
}

/**
 * Adds the TRC10 balances to an account. They are in a separate table. Reference: AssetUtil.importAllAsset.
 *
 * As in java-tron, rows in memory and on disk differ. Balances of 0 are included only if java-tron has their rows in
 * memory. An account from disk has the flag `assetOptimized`, which means that its balances are in the separate table.
 */
function importAssets({ state, flushedNumber }: ChainView, address: Address, found: Account): void {
  if (!state.properties.isOn('ALLOW_ASSET_OPTIMIZATION')) return;
  const isInMemory = (block: bigint | undefined): boolean =>
    block !== undefined && flushedNumber !== undefined && block > flushedNumber;
  const all = new Map<string, bigint>();
  if (found.assetOptimized) {
    const { accountAssets, zeroTokens } = state;
    for (const [key, amount] of accountAssets.range(address)) all.set(tokenIn(key), amount);
    for (const [key, block] of zeroTokens.range(address)) if (isInMemory(block)) all.set(tokenIn(key), 0n);
    found.assetOptimized = !isInMemory(state.unflushedAccounts.get(address));
  }
  for (const [id, amount] of found.assetV2) all.set(id, amount);
  found.assetV2 = javaMap(all);
}

/** Returns the token id part of a key. The key consists of an address and a token id. */
function tokenIn(key: string): string {
  return toUtf8(Buffer.from(key.slice(2 * ADDRESS_BYTES), 'hex'));
}

/** Returns a copy of a map in the iteration order of a Java hash map. */
function javaMap<V>(map: ReadonlyMap<string, V>): Map<string, V> {
  if (map.size < 2) return new Map(map);
  const sorted = new JavaHashMap<string, V>(javaHashOfText);
  for (const [key, value] of map) sorted.set(key, value);
  return new Map(sorted.entries());
}

/** Sorts the stakes 2.0 of an account by resource. Adds an entry with amount 0 for each resource without stake. */
function sortFrozenV2(found: Account): void {
  found.frozenV2 = [ResourceCode.BANDWIDTH, ResourceCode.ENERGY, ResourceCode.TRON_POWER].map(
    (type) => found.frozenV2.find((item) => item.type === type) ?? Object.assign(new AccountFreezeV2(), { type }),
  );
}

function bandwidthFields(state: State, found: Account) {
  const { properties } = state;
  const isByName = properties.get('ALLOW_SAME_TOKEN_NAME') === 0n;
  const used = isByName ? found.freeAssetNetUsage : found.freeAssetNetUsageV2;
  const limits = new Map<string, bigint>();
  for (const id of used.keys()) {
    const asset = (isByName ? state.assets : state.assetsV2).get(toHex(Buffer.from(id)));
    limits.set(id, present(asset, 'the account has used the bandwidth of an existing token').freeAssetNetLimit);
  }
  return {
    freeNetUsed: found.freeNetUsage,
    freeNetLimit: properties.get('FREE_NET_LIMIT'),
    netUsed: found.netUsage,
    netLimit: totalBandwidthLimit(state, found),
    totalNetLimit: properties.get('TOTAL_NET_LIMIT'),
    totalNetWeight: properties.get('TOTAL_NET_WEIGHT'),
    assetNetUsed: used,
    assetNetLimit: javaMap(limits),
  };
}

/**
 * Converts an account id to lower case, as java-tron does in its index of account ids. Reference:
 * AccountIdIndexStore.getLowerCaseAccountId.
 */
function lowerCased(id: Uint8Array): Uint8Array {
  return Buffer.from(toUtf8(id).toLowerCase());
}

/**
 * Checks that a request has both the number and the id of a block, and that they belong to the same block.
 * @throws {JavaError} the number or the id is missing or malformed, the block does not exist, or the id belongs to
 * another block
 */
function checkBlock(
  view: ChainView,
  block: BlockBalanceTraceBlockIdentifier | undefined,
): BlockBalanceTraceBlockIdentifier {
  if (block === undefined) throw illegalArgument('block_identifier null');
  if (block.number < 0n) throw illegalArgument('block_identifier number less than 0');
  if (block.hash.length !== 32) throw illegalArgument('block_identifier hash length not equals 32');
  const id = block.number > BigInt(view.headNumber) ? undefined : view.blockIdAt(Number(block.number));
  if (id === undefined) {
    throw new JavaError('org.tron.core.exception.ItemNotFoundException', `number: ${block.number} is not found!`);
  }
  if (!equalBytes(id, block.hash)) throw illegalArgument('number and hash do not match');
  return block;
}

/**
 * Returns the newest stored balance at or below a height; 0 if none is stored. Row keys contain the bitwise
 * complement of the height, so that newer rows are sorted first. Reference: getPrevBalance.
 */
function balanceAt(state: State, address: Uint8Array, number: bigint): { number: bigint; balance: bigint } {
  const prefix = toHex(address);
  const from = number ^ MASK;
  for (const [key, value] of state.accountTraces.range(prefix)) {
    const found = toInt64(Buffer.from(key.slice(prefix.length), 'hex'));
    if (found < from) continue;
    return { number: found ^ MASK, balance: AccountTrace.decode(value).balance };
  }
  return { number, balance: 0n };
}

const MASK = 0x7fffffffffffffffn;
