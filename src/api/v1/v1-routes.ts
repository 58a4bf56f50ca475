import { type JsonObject, jsonObject, printJson } from '../../encoding/json/json-value.js';
import { TronError } from '../../primitives/errors.js';
import { type HttpAnswer, JSON_TYPE } from '../http/http-answer.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { ServedPath } from '../http/served-path.js';
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

const FINALITY = ['only_confirmed', 'only_unconfirmed'] as const;
const PAGES = ['order_by', 'limit', 'fingerprint'] as const;
const LIST = [...FINALITY, 'min_timestamp', 'max_timestamp', 'block_number', ...PAGES] as const;

/** All routes of `/v1`, and the routes with TronGrid's old paths. */
export const v1Routes: readonly V1Route[] = [
  ['v1/accounts/*', accountInfo, ['only_confirmed', 'fingerprint']],
  ['v1/accounts/*/transactions', accountTransactions, [...LIST, 'only_to', 'only_from', 'search_internal']],
  ['v1/accounts/*/transactions/trc20', trc20Transfers, [...LIST, 'only_to', 'only_from', 'contract_address']],
  ['v1/assets', assetList, ['only_confirmed', ...PAGES]],
  ['v1/assets/*', assetInfo, ['only_confirmed']],
  ['v1/assets/**/list', assetsByNameRoute, ['only_confirmed', ...PAGES]],
  ['v1/blocks/*/events', blockEvents, [...FINALITY, 'limit', 'fingerprint']],
  ['v1/contracts/*/events', contractEvents, [...LIST, 'event_name']],
  ['v1/contracts/*/transactions', contractTransactions, LIST],
  ['v1/indexes/*/*', indexItems, ['height', 'limit', 'fingerprint']],
  ['v1/transactions/*/events', transactionEvents, FINALITY],
  ...legacyRoutes,
];
/** Query parameters of all routes. */
const PARAMETERS = [...new Set(v1Routes.flatMap(([, , parameters = []]) => parameters))];

/** Path that TronWeb requests to check that an event server is available. */
const HEALTH = '/healthcheck';
/**
 * Patterns of all paths for Fastify's router, which cannot match names with slashes. The entries of `v1Routes` then
 * select the route.
 */
const PATTERNS = ['/v1/*', '/event/*', HEALTH];
/** Name of all paths of `/v1` in rate limits. `LABEL` is their name in the labels of metrics. */
export const V1_COMPONENT = 'V1';
const LABEL = '/v1';
/** HTTP status by error code. */
const STATUSES: Readonly<Record<string, number>> = {
  PROJECTION_OFF: 501,
  HISTORY_NOT_KEPT: 410,
  HEIGHT_UNKNOWN: 404,
  TOO_COSTLY: 503,
  THREAD_ENDED: 503,
};

/** Returns the paths of `/v1`. The responses have TronGrid's form. */
export function servedV1Paths(source: V1Source): readonly ServedPath[] {
  const answer = (request: IncomingRequest) => answerTo(source, request);
  return PATTERNS.map((path) => ({
    path,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    component: V1_COMPONENT,
    label: LABEL,
    answer,
  }));
}

async function answerTo(source: V1Source, request: IncomingRequest): Promise<HttpAnswer> {
  try {
    return await pageOf(source, request);
  } catch (error) {
    const status = error instanceof V1Error ? error.status : error instanceof TronError && STATUSES[error.code];
    if (typeof status !== 'number') throw error;
    return refusal(status, (error as TronError).message);
  }
}

async function pageOf(source: V1Source, request: IncomingRequest): Promise<HttpAnswer> {
  const { method, target } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return { ...refusal(405, 'only GET and HEAD are allowed'), allow: 'GET, HEAD' };
  const path = resolveTarget(target);
  if (path === undefined) return refusal(400, 'invalid path');
  if (path.path === HEALTH) return { status: 200, type: JSON_TYPE, body: '{"success":true}' };
  const segments = path.path.slice(1).replace(/\/$/, '').split('/');
  for (const [route, answer, parameters] of v1Routes) {
    const found = matched(route.split('/'), segments);
    if (found === undefined) continue;
    const query = new Query(path.query);
    if (parameters !== undefined) query.refuseOthers(parameters, PARAMETERS);
    const page = await answer(source, query, found);
    const body = path.path.startsWith('/v1/') ? envelope(source, page, request, query) : legacyBody(page);
    return { status: 200, type: JSON_TYPE, body: printJson(body, 'jackson') };
  }
  return refusal(404, `no route for ${path.path}`);
}

function envelope(
  { api }: V1Source,
  { items, fingerprint }: V1Page,
  request: IncomingRequest,
  query: Query,
): JsonObject {
  const meta = jsonObject({ at: BigInt(api.now()), page_size: BigInt(items.length) });
  if (fingerprint !== undefined) {
    const [path] = request.target.split('?');
    const next = `http://${request.host ?? 'localhost'}${path}?${query.textWith({ fingerprint })}`;
    meta.set('fingerprint', fingerprint);
    meta.set('links', jsonObject({ next }));
  }
  return jsonObject({ data: [...items], success: true, meta });
}

/** Returns the values of a route's wildcards; undefined if the path does not match. */
function matched(route: readonly string[], sent: readonly string[]): string[] | undefined {
  const segments = joined(route, sent);
  if (route.length !== segments.length) return undefined;
  const isStar = (part: string | undefined): boolean => part === '*' || part === '**';
  const fits = route.every((part, at) => (isStar(part) ? segments[at] !== '' : part === segments[at]));
  return fits ? segments.filter((_, at) => isStar(route[at])) : undefined;
}

/**
 * Joins the surplus segments of a path into the value of the wildcard `**`, because asset names may contain slashes.
 */
function joined(route: readonly string[], sent: readonly string[]): readonly string[] {
  const [at, surplus] = [route.indexOf('**'), sent.length - route.length];
  if (at < 0 || surplus <= 0) return sent;
  return [...sent.slice(0, at), sent.slice(at, at + surplus + 1).join('/'), ...sent.slice(at + surplus + 1)];
}

function refusal(status: number, error: string): HttpAnswer {
  const body = jsonObject({ success: false, error, statusCode: BigInt(status) });
  return { status, type: JSON_TYPE, body: printJson(body, 'jackson') };
}
