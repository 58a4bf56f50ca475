import type { AssetIssueContract } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { toUtf8 } from '../../log/domain/bytes.js';
import type { ChainView } from '../api-context.js';
import type { JsonObject } from '../json/json-value.js';
import { messageToJson } from '../json/print-message.js';
import { assetById } from '../operations/assets.js';
import { OneChain } from './one-chain.js';
import { behind, type Candidate, decodeFingerprint, takePage } from './page.js';
import type { Query } from './query.js';
import { readAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import { badParameter } from './v1-error.js';
import type { V1Source } from './v1-source.js';

const LIST = 'assets';
/** Ids are given in turn from here on. Reference: DynamicPropertiesStore.saveTokenIdNum. */
const FIRST_ID = 1_000_001;
/** Fields that are text in bytes. */
const TEXTS = ['name', 'abbr', 'description', 'url'] as const;

/** All assets (TRC10) by their ids, the newest first. @throws {V1Error} another order, which no index has */
export const assetList: V1Answer = (source, query) => {
  const order = query.text('order_by') ?? 'id,desc';
  if (order !== 'id,asc' && order !== 'id,desc') throw badParameter('order_by', 'must be id,asc or id,desc');
  const isAscending = order === 'id,asc';
  const last = viewOf(source, query).state.properties.number('TOKEN_ID_NUM');
  const after = decodeFingerprint(LIST, query.text('fingerprint'));
  const [from, to] = isAscending
    ? [Math.max(after?.[0] ?? 0, FIRST_ID), last]
    : [FIRST_ID, Math.min(after?.[0] ?? last, last)];
  function* all(): Iterable<Candidate> {
    for (let at = 0; at <= to - from; at++) {
      const id = isAscending ? from + at : to - at;
      const asset = assetById(viewOf(source, query), String(id));
      yield { place: [id], item: asset && (() => assetRow(asset)) };
    }
  }
  const candidates = behind(after, isAscending, all());
  return takePage({ list: LIST, candidates, limit: query.limit, lookWork: 1 }, new OneChain(source));
};

/** The asset of an id, or that an account has issued. @throws {V1Error} */
export const assetInfo: V1Answer = (source, query, [text]) => {
  const view = viewOf(source, query);
  const id = /^\d+$/.test(text!) ? text! : idOfIssuer(view, readAddress(source, text!));
  const asset = assetById(view, id);
  return { items: asset === undefined ? [] : [assetRow(asset)], fingerprint: undefined };
};

/** An account issues one asset at most. */
function idOfIssuer({ state }: ChainView, address: Uint8Array): string {
  return toUtf8(state.account(toAddress(address))?.assetIssuedID ?? new Uint8Array(0));
}

function assetRow(asset: AssetIssueContract): JsonObject {
  const object = messageToJson(asset, false);
  for (const name of TEXTS) if (object.has(name)) object.set(name, toUtf8(asset[name]));
  object.set('id', BigInt(asset.id));
  return object;
}

function viewOf({ api }: V1Source, query: Query): ChainView {
  return api.view(query.flag('only_confirmed') === true ? 'solidified' : 'head');
}
