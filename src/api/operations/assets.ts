import { type AssetIssueContract, AssetIssueList } from '../../codec/generated/messages.js';
import { illegalArgument, JavaError } from '../../java-compat/java-error.js';
import { isBlank } from '../../java-compat/text.js';
import { equalBytes, toHex, toUtf8 } from '../../primitives/bytes.js';
import { arithmeticOf } from '../../state-transition/resources/long-arithmetic.js';
import { decay, headSlot } from '../../state-transition/resources/usage.js';
import type { State } from '../../state-transition/state/state.js';
import type { ChainView } from '../context/api-context.js';
import { LIST_PAGE_MAX, listedView, listValues } from './listing.js';

/** Returns all TRC10 assets. Reference: Wallet.getAssetIssueList. */
export function assets(view: ChainView): AssetIssueList {
  return listOf(allAssets(view));
}

/**
 * Returns a page of assets, sorted by name; undefined if offset or limit is negative, or if the page is empty.
 * Reference: Wallet.getAssetIssueList(offset, limit).
 */
export function assetPage(view: ChainView, offset: bigint, limit: bigint): AssetIssueList | undefined {
  if (limit < 0n || offset < 0n) return undefined;
  const all = allAssets(view);
  if (BigInt(all.length) <= offset) return undefined;
  const sorted = all.sort((a, b) => compareText(toUtf8(a.name), toUtf8(b.name)) || Number(a.order - b.order));
  const end = Number(offset) + Number(limit > LIST_PAGE_MAX ? LIST_PAGE_MAX : limit);
  const page = sorted.slice(Number(offset), end);
  return page.length === 0 ? undefined : listOf(page);
}

/**
 * Returns the assets that an account issued; undefined for an empty address.
 * Reference: Wallet.getAssetIssueByAccount.
 */
export function assetsOfAccount(view: ChainView, address: Uint8Array): AssetIssueList | undefined {
  if (address.length === 0) return undefined;
  return listOf(allAssets(view).filter(({ ownerAddress }) => equalBytes(ownerAddress, address)));
}

/** Returns the assets with a name; undefined for an empty name. Reference: Wallet.getAssetIssueListByName. */
export function assetsOfName(view: ChainView, name: Uint8Array): AssetIssueList | undefined {
  if (name.length === 0) return undefined;
  return listOf(allAssets(view).filter((asset) => equalBytes(asset.name, name)));
}

/**
 * Returns the asset with a name. If the chain allows several assets of one name, the name may also be an asset id.
 * Reference: Wallet.getAssetIssueByName.
 * @throws {JavaError} several assets match
 */
export function assetByName(view: ChainView, name: Uint8Array): AssetIssueContract | undefined {
  if (name.length === 0) return undefined;
  const { state } = view;
  if (state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n) return upToDate(state, state.assets.get(toHex(name)));
  const named = [...listedView(view).state.assetsV2.range()]
    .map(([, asset]) => asset)
    .filter((asset) => equalBytes(asset.name, name));
  if (named.length > 1) throw notUnique();
  const byId = state.assetsV2.get(toHex(name));
  if (byId !== undefined && named[0] !== undefined && byId.id !== named[0].id) throw notUnique();
  return upToDate(state, byId ?? named[0]);
}

/**
 * Returns the asset with an id. Reference: Wallet.getAssetIssueById.
 * @throws {JavaError} IllegalArgumentException: the id contains only white space
 */
export function assetById({ state }: ChainView, id: string | null): AssetIssueContract | undefined {
  if (id === null || id === '') return undefined;
  if (isBlank(id)) throw illegalArgument('The key argument cannot be null');
  return upToDate(state, state.assetsV2.get(toHex(Buffer.from(id))));
}

function allAssets(view: ChainView): AssetIssueContract[] {
  const { state } = view;
  const isByName = state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n;
  const assets = listValues(view, (listed) => (isByName ? listed.assets : listed.assetsV2));
  return assets.map((asset) => grownTo(state, asset));
}

function listOf(found: readonly AssetIssueContract[]): AssetIssueList {
  return Object.assign(new AssetIssueList(), { assetIssue: found });
}

function upToDate(state: State, found: AssetIssueContract | undefined): AssetIssueContract | undefined {
  return found && grownTo(state, found);
}

/** Returns a copy of the asset with its current usage of free bandwidth. The usage decreases over time. */
function grownTo(state: State, found: AssetIssueContract): AssetIssueContract {
  const asset = found.clone();
  const { publicFreeAssetNetUsage: usage, publicLatestFreeNetTime: time } = asset;
  asset.publicFreeAssetNetUsage = decay(arithmeticOf(state.properties), usage, time, headSlot(state));
  return asset;
}

/** Compares texts by UTF-16 code units, as Java does. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function notUnique(): JavaError {
  return new JavaError(
    'org.tron.core.exception.NonUniqueObjectException',
    'To get more than one asset, please use getAssetIssueById syntax',
  );
}
