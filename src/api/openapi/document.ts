import type { ArgumentKind, EndpointDefinition } from '../endpoints/endpoint-definition.js';
import { routesOf, type ServedRoute } from '../http/route-table.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { ServerName } from '../servers.js';
import { type JsonSchema, messageSchemas } from './message-schemas.js';
import { v1Paths, v1Schemas } from './v1-paths.js';

export interface DocumentOptions {
  /** Ports of the enabled servers. */
  readonly ports: Readonly<Partial<Record<ServerName, number>>>;
  /** Names of the operations that `node.disabledApi` disables, in lower case. They are not in the document. */
  readonly disabled: readonly string[];
  readonly release: Pick<ApiRelease, 'name' | 'hasLaterQueries'>;
  /** True if the full node's port also serves `/v1`. */
  readonly hasV1: boolean;
}

/** An argument that a handler reads from the query or the body. */
interface ArgumentField {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly isRequired: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: object;
}

const tags: Readonly<Record<ServerName, string>> = {
  fullnode: 'The state of the newest block, and pending transactions. Builds and broadcasts transactions.',
  solidity: 'The state of the newest solidified (final) block.',
  pbft: 'The state of the newest block that PBFT messages confirm.',
};

const schemaOfKind: Readonly<Record<ArgumentKind, JsonSchema>> = {
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  text: { type: 'string' },
  hex: { type: 'string', pattern: '^(0x)?[0-9a-fA-F]*$' },
  bytes: { type: 'string', description: 'Hex. If `visible` is true and the field contains text, plain text instead' },
  address: { type: 'string', description: '21 bytes (41…) in hex. If `visible` is true, Base58Check instead' },
  object: { type: 'object' },
  'object[]': { type: 'array', items: { type: 'object' } },
  'text[]': { type: 'array', items: { type: 'string' } },
  'hex[]': { type: 'array', items: { type: 'string' } },
};

const VISIBLE: ArgumentField = { name: 'visible', kind: 'bool', isRequired: false };

/** Returns the OpenAPI 3.1 document of the HTTP interface. It is generated from the tables of endpoints. */
export function openApiDocument({ ports, disabled, release, hasV1 }: DocumentOptions): object {
  const paths: Record<string, object> = {};
  const replies = new Set<string>();
  for (const [server, port] of Object.entries(ports) as [ServerName, number][]) {
    for (const route of routesOf(server, release).values()) {
      if (paths[route.path] !== undefined || disabled.includes(route.name.toLowerCase())) continue;
      if (route.prints !== 'other') replies.add(route.prints);
      paths[route.path] = { servers: [serverAt(port)], ...operations(server, route) };
    }
  }
  const v1Port = hasV1 ? ports.fullnode : undefined;
  if (v1Port !== undefined)
    for (const [path, item] of Object.entries(v1Paths('fullnode')))
      paths[path] = { servers: [serverAt(v1Port)], ...item };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tronicle HTTP API',
      version: release.name,
      summary: "java-tron's HTTP API, as served by this node",
      description:
        'Responses are JSON. A failed request also has status 200; its response has the field `Error`. 64-bit integers are JSON numbers.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.keys(ports).map((name) => ({ name, description: tags[name as ServerName] })),
    paths,
    components: {
      schemas: {
        Failure: FAILURE,
        ...messageSchemas([...replies].sort()),
        ...(v1Port === undefined ? {} : v1Schemas),
      },
    },
  };
}

const FAILURE: JsonSchema = {
  type: 'object',
  properties: { Error: { type: 'string', examples: ['class java.lang.NumberFormatException : null'] } },
  required: ['Error'],
};

function serverAt(port: number): object {
  return { url: `http://{host}:${port}`, variables: { host: { default: '127.0.0.1' } } };
}

function operations(server: ServerName, route: ServedRoute): object {
  const { get, post, path, family, reads, prints } = route;
  const all = [...Object.entries(reads).map(argumentField), VISIBLE];
  const base = (method: string): Omit<Operation, 'parameters' | 'requestBody'> => ({
    operationId: `${method}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: family.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '),
    tags: [server],
    responses: {
      200: {
        description: 'The result, or an object with `Error` if the request failed',
        content: { 'application/json': { schema: answer(prints) } },
      },
    },
  });
  return {
    ...(get === undefined || get === 'empty' ? {} : { get: { ...base('get'), parameters: all.map(queryParameter) } }),
    ...(post === undefined ? {} : { post: { ...base('post'), requestBody: body(all) } }),
  };
}

/**
 * Converts an entry of `reads`. The suffix `!` of its type means that the argument is required. The compiler cannot
 * infer the type without the suffix, so a cast is needed.
 */
function argumentField([name, marked]: readonly [string, EndpointDefinition['reads'][string]]): ArgumentField {
  const isRequired = marked.endsWith('!');
  return { name, kind: (isRequired ? marked.slice(0, -1) : marked) as ArgumentKind, isRequired };
}

function answer(prints: EndpointDefinition['prints']): JsonSchema {
  const good = prints === 'other' ? { type: 'object' } : { $ref: `#/components/schemas/${prints}` };
  return { anyOf: [good, { $ref: '#/components/schemas/Failure' }] };
}

function queryParameter({ name, kind, isRequired }: ArgumentField): object {
  return { name, in: 'query', required: isRequired, schema: schemaOfKind[kind] };
}

function body(fields: readonly ArgumentField[]): object {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, kind }) => [name, schemaOfKind[kind]])),
    ...(required.length === 0 ? {} : { required }),
  };
  return { content: { 'application/json': { schema } } };
}
