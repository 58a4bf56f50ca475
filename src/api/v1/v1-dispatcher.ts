import { type JsonObject, jsonObject, printJson } from '../../encoding/json/json-value.js';
import { TronError } from '../../primitives/errors.js';
import { type HttpAnswer, JSON_TYPE } from '../http/error-pages.js';
import { headerValues, type IncomingRequest } from '../http/incoming-request.js';
import type { HttpDispatcher } from '../http/server/rate-limited-handler.js';
import { resolveTarget } from '../request-path.js';
import { accountTransactions, contractTransactions } from './account-transactions.js';
import { accountInfo } from './accounts.js';
import { assetInfo, assetList, assetsByNameRoute } from './asset-routes.js';
import { blockEvents, contractEvents, transactionEvents } from './event-routes.js';
import { indexItems } from './index-routes.js';
import { legacyBody, legacyRoutes } from './legacy-events.js';
import type { V1Page } from './page.js';
import { Query } from './query.js';
import type { V1Route } from './route.js';
import { trc20Transfers } from './trc20-transfers.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** All routes of `/v1`, and the older paths. */
export const v1Routes: readonly V1Route[] = [
  ['v1/accounts/*', accountInfo],
  ['v1/accounts/*/transactions', accountTransactions],
  ['v1/accounts/*/transactions/trc20', trc20Transfers],
  ['v1/assets', assetList],
  ['v1/assets/*', assetInfo],
  ['v1/assets/**/list', assetsByNameRoute],
  ['v1/blocks/*/events', blockEvents],
  ['v1/contracts/*/events', contractEvents],
  ['v1/contracts/*/transactions', contractTransactions],
  ['v1/indexes/*/*', indexItems],
  ['v1/transactions/*/events', transactionEvents],
  ...legacyRoutes,
];

const PREFIXES = ['/v1/', '/event/'];
/** Path that TronWeb requests to check that an event server is available. */
const HEALTH = '/healthcheck';
/** Name for rate limits and metrics, shared by all paths of `/v1`. */
const COMPONENT = 'V1';
/** HTTP status for each error code. */
const STATUSES: Readonly<Record<string, number>> = { PROJECTION_OFF: 501, HISTORY_NOT_KEPT: 410 };

/** Answers `/v1` in TronGrid's form. Forwards all other paths to the inner server. */
export class V1Dispatcher implements HttpDispatcher {
  private readonly inner: HttpDispatcher;
  private readonly source: V1Source;

  constructor(inner: HttpDispatcher, source: V1Source) {
    this.inner = inner;
    this.source = source;
  }

  componentOf(request: Pick<IncomingRequest, 'method' | 'target'>): string | undefined {
    return isV1(request) ? COMPONENT : this.inner.componentOf(request);
  }

  countedAs(target: string): string | undefined {
    return isV1({ target }) ? '/v1' : undefined;
  }

  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    if (!isV1(request)) return this.inner.answer(request);
    return this.answerOf(request).catch((error: unknown) => {
      const status = error instanceof V1Error ? error.status : error instanceof TronError && STATUSES[error.code];
      if (typeof status !== 'number') throw error;
      return refusal(status, (error as TronError).message);
    });
  }

  private async answerOf(request: IncomingRequest): Promise<HttpAnswer> {
    const { method, target } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return { ...refusal(405, 'only GET and HEAD are allowed'), allow: 'GET, HEAD' };
    if (target === HEALTH) return { status: 200, type: JSON_TYPE, body: '{"success":true}' };
    const path = resolveTarget(target);
    if (path === undefined) return refusal(400, 'invalid path');
    const segments = path.path.slice(1).replace(/\/$/, '').split('/');
    for (const [route, answer] of v1Routes) {
      const found = matched(route.split('/'), segments);
      if (found === undefined) continue;
      const query = new Query(path.query);
      const page = await answer(this.source, query, found);
      const body = path.path.startsWith('/v1/') ? this.envelope(page, request, query) : legacyBody(page);
      return { status: 200, type: JSON_TYPE, body: printJson(body, 'jackson') };
    }
    return refusal(404, `no route for ${path.path}`);
  }

  private envelope({ items, fingerprint }: V1Page, request: IncomingRequest, query: Query): JsonObject {
    const meta = jsonObject({ at: BigInt(this.source.api.now()), page_size: BigInt(items.length) });
    if (fingerprint !== undefined) {
      const [path] = request.target.split('?');
      const next = `http://${hostOf(request)}${path}?${query.textWith({ fingerprint })}`;
      meta.set('fingerprint', fingerprint);
      meta.set('links', jsonObject({ next }));
    }
    return jsonObject({ data: [...items], success: true, meta });
  }
}

function isV1({ target }: Pick<IncomingRequest, 'target'>): boolean {
  return PREFIXES.some((prefix) => target.startsWith(prefix)) || target === HEALTH;
}

/** Returns the values of a route's wildcards, or undefined if the path does not match. */
function matched(route: readonly string[], sent: readonly string[]): string[] | undefined {
  const segments = joined(route, sent);
  if (route.length !== segments.length) return undefined;
  const isStar = (part: string | undefined): boolean => part === '*' || part === '**';
  const fits = route.every((part, at) => (isStar(part) ? segments[at] !== '' : part === segments[at]));
  return fits ? segments.filter((_, at) => isStar(route[at])) : undefined;
}

/** Joins surplus segments into the `**` wildcard, because asset names may contain slashes. */
function joined(route: readonly string[], sent: readonly string[]): readonly string[] {
  const [at, surplus] = [route.indexOf('**'), sent.length - route.length];
  if (at < 0 || surplus <= 0) return sent;
  return [...sent.slice(0, at), sent.slice(at, at + surplus + 1).join('/'), ...sent.slice(at + surplus + 1)];
}

function hostOf(request: IncomingRequest): string {
  return headerValues(request, 'host')[0] ?? 'localhost';
}

function refusal(status: number, error: string): HttpAnswer {
  const body = jsonObject({ success: false, error, statusCode: BigInt(status) });
  return { status, type: JSON_TYPE, body: printJson(body, 'jackson') };
}
