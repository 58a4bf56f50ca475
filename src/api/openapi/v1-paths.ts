import { present } from '../../primitives/assert.js';
import type { V1Parameter } from '../v1/route.js';
import { v1Routes } from '../v1/v1-routes.js';
import type { JsonSchema } from './message-schemas.js';

/** A path of `/v1`: template of the path, and summary of the response. */
type V1Row = readonly [path: string, summary: string];

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const time: JsonSchema = { anyOf: [{ type: 'integer' }, { type: 'string', format: 'date-time' }] };

/** JSON schema and description of each query parameter. */
const queryParameters = {
  only_confirmed: [flag, 'True to return only solidified (final) data'],
  only_unconfirmed: [flag, 'True to return only data that is not solidified yet'],
  min_timestamp: [time, 'Unix time in milliseconds, or an ISO 8601 date'],
  max_timestamp: [time, 'Unix time in milliseconds, or an ISO 8601 date'],
  order_by: [text, 'Sort order: `block_timestamp,asc` or `block_timestamp,desc`; for assets `id,asc` or `id,desc`'],
  limit: [{ type: 'integer', minimum: 1, maximum: 200, default: 20 }, 'Maximum number of items in a page'],
  fingerprint: [text, '`meta.fingerprint` of the previous page'],
  event_name: [text, 'Name of the event'],
  block_number: [{ type: 'integer' }, 'Block height'],
  height: [{ type: 'integer' }, 'Block height after which the list is read; default: the newest block'],
  only_to: [flag, 'True to return only transactions and transfers to the account'],
  only_from: [flag, 'True to return only transactions and transfers from the account'],
  search_internal: [flag, 'True to include internal transactions'],
  contract_address: [text, 'Address of the token contract'],
} as const satisfies Readonly<Record<V1Parameter, readonly [schema: JsonSchema, description: string]>>;

/** All paths of `/v1`. */
const v1Rows: readonly V1Row[] = [
  ['/v1/accounts/{address}', 'An account with its TRC20 balances'],
  ['/v1/accounts/{address}/transactions', 'Transactions of an account'],
  ['/v1/accounts/{address}/transactions/trc20', 'TRC20 transfers of an account'],
  ['/v1/assets', 'All assets (TRC10)'],
  ['/v1/assets/{identifier}', 'The asset with this id or issuer address'],
  ['/v1/assets/{name}/list', 'Assets with this name'],
  ['/v1/blocks/{block}/events', 'Events of a block; `block` is a height, an id or `latest`'],
  ['/v1/contracts/{address}/events', 'Events of a contract'],
  ['/v1/contracts/{address}/transactions', 'Calls of a contract'],
  ['/v1/indexes/{index}/{address}', 'Items of an index for an address'],
  ['/v1/transactions/{id}/events', 'Events of a transaction'],
];

/** JSON schemas to which the paths refer. */
export const v1Schemas: Readonly<Record<string, JsonSchema>> = {
  V1Page: {
    type: 'object',
    properties: {
      data: { type: 'array', items: { type: 'object' } },
      success: { const: true },
      meta: {
        type: 'object',
        properties: {
          at: { type: 'integer', description: 'Time of the response, in ms since 1970' },
          page_size: { type: 'integer' },
          fingerprint: { type: 'string', description: 'Cursor of the next page; absent on the last page' },
          links: { type: 'object', properties: { next: { type: 'string' } } },
        },
        required: ['at', 'page_size'],
      },
    },
    required: ['data', 'success', 'meta'],
  },
  V1Refusal: {
    type: 'object',
    properties: { success: { const: false }, error: { type: 'string' }, statusCode: { type: 'integer' } },
    required: ['success', 'error', 'statusCode'],
  },
};

/** Returns the OpenAPI path items of `/v1`. @param tag OpenAPI tag of the server that has these paths */
export function v1Paths(tag: string): Readonly<Record<string, object>> {
  return Object.fromEntries(
    v1Rows.map(([path, summary]) => [
      path,
      {
        get: {
          operationId: `get${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
          summary,
          tags: [tag],
          parameters: [
            ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: text })),
            ...parametersOf(path).map((name) => {
              const [schema, description] = queryParameters[name];
              return { name, in: 'query', required: false, schema, description };
            }),
          ],
          responses: {
            200: reply('A page of items', 'V1Page'),
            default: reply(
              'An error with status 400, 404, 410 or 503; 501 if this node does not build the index',
              'V1Refusal',
            ),
          },
        },
      },
    ]),
  );
}

/** Returns the query parameters of a path template. */
function parametersOf(path: string): readonly V1Parameter[] {
  const pattern = path.slice(1).replace(/\{\w+\}/g, '*');
  const route = v1Routes.find(([known]) => known.replace('**', '*') === pattern);
  return present(route?.[2], 'every documented path is a route with parameters');
}

function reply(description: string, schema: string): object {
  return { description, content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } };
}
