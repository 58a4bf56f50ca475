import type { AssetIssueContract } from '../../codec/generated/messages.js';
import type { JsonObject } from '../../encoding/json/json-value.js';
import { messageToJson } from '../../encoding/json/print-message.js';
import { toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex, toUtf8, utf8 } from '../../primitives/bytes.js';
import type { ChainView } from '../context/api-context.js';
import { assetById } from '../operations/assets.js';
import { OneChain } from './one-chain.js';
import { CANDIDATE_WORK, type Candidate, decodeFingerprint, isAfter, takePage } from './page.js';
import type { Query } from './query.js';
import { readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { badParameter } from './v1-error.js';
import type { V1Source } from './v1-source.js';

const LIST = 'assets';
/** Id of the first TRC10 asset. Later assets have consecutive ids. Reference: DynamicPropertiesStore.saveTokenIdNum. */
const FIRST_ID = 1_000_001;
/** Fields of type `bytes` that contain text. */
const TEXTS = ['name', 'abbr', 'description', 'url'] as const;

/**
 * Maximum number of assets that a page of `/v1/assets/{name}/list` reads, at some microseconds each. The main net has
 * fewer assets. On a chain with more, the page ends early, and the client continues with the fingerprint (TronGrid's
 * cursor) of that page.
 */
const CANDIDATES_BY_NAME = 10_000;

/**
 * Returns all TRC10 assets by id. The newest asset is first, unless `order_by` is `id,asc`.
 * @throws {V1Error} the request is invalid
 */
export const assetList: V1Answer = (source, query) => {
  const candidates = assetsById(source, query, LIST, () => true);
  return takePage({ list: LIST, candidates, limit: query.limit, candidateWork: 1 }, new OneChain(source));
};

/** Returns the assets with a name. Names are not unique. @throws {V1Error} the request is invalid */
export const assetsByNameRoute: V1Answer = (source, query, path) => {
  const name = itemAt(path, 0);
  const list = `${LIST}-${toHex(utf8(name))}`;
  const candidates = assetsById(source, query, list, (asset) => toUtf8(asset.name) === name);
  const page = {
    list,
    candidates,
    limit: query.limit,
    candidatesMax: CANDIDATES_BY_NAME,
    candidateWork: CANDIDATE_WORK,
  };
  return takePage(page, new OneChain(source));
};

function assetsById(
  source: V1Source,
  query: Query,
  list: string,
  matches: (asset: AssetIssueContract) => boolean,
): Iterable<Candidate> {
  const order = query.text('order_by') ?? 'id,desc';
  if (order !== 'id,asc' && order !== 'id,desc') throw badParameter('order_by', 'must be id,asc or id,desc');
  const isAscending = order === 'id,asc';
  const last = viewOf(source, query).state.properties.number('TOKEN_ID_NUM');
  const after = decodeFingerprint(list, query.text('fingerprint'));
  const [from, to] = isAscending
    ? [Math.max(after?.[0] ?? 0, FIRST_ID), last]
    : [FIRST_ID, Math.min(after?.[0] ?? last, last)];
  function* all(): Iterable<Candidate> {
    for (let at = 0; at <= to - from; at++) {
      const id = isAscending ? from + at : to - at;
      const asset = assetById(viewOf(source, query), String(id));
      yield { position: [id], item: asset && matches(asset) ? () => assetRow(asset) : undefined };
    }
  }
  return isAfter(after, isAscending, all());
}

/** Returns the asset with an id, or the asset of an issuer. @throws {V1Error} the request is invalid */
export const assetInfo: V1Answer = (source, query, path) => {
  const view = viewOf(source, query);
  const text = itemAt(path, 0);
  const id = /^\d+$/.test(text) ? text : idOfIssuer(view, readPathAddress(source, text));
  const asset = assetById(view, id);
  return { items: asset === undefined ? [] : [assetRow(asset)], fingerprint: undefined };
};

/** Returns the id of the asset that an account issued. An account can issue only one asset. */
function idOfIssuer({ state }: ChainView, address: Uint8Array): string {
  return toUtf8(state.account(toAddress(address))?.assetIssuedID ?? new Uint8Array(0));
}

function assetRow(asset: AssetIssueContract): JsonObject {
  const object = messageToJson(asset, false, 'fastjson');
  for (const name of TEXTS) if (object.has(name)) object.set(name, toUtf8(asset[name]));
  object.set('id', BigInt(asset.id));
  return object;
}

function viewOf({ api }: V1Source, query: Query): ChainView {
  return api.view(query.flag('only_confirmed') === true ? 'irreversible' : 'head');
}
