import { routesOf } from '../http/route-table.js';
import { argumentsOf } from './arguments.js';
import { messageSchemas } from './message-schemas.js';
const tags = {
    fullnode: 'Newest state, with what waits for a block. Transactions are built and broadcast here.',
    solidity: 'The newest irreversible state.',
    pbft: 'The state that PBFT messages confirmed.',
};
const schemaOfKind = {
    bool: { type: 'boolean' },
    int32: { type: 'integer', format: 'int32' },
    int64: { type: 'integer', format: 'int64' },
    text: { type: 'string' },
    hex: { type: 'string', pattern: '^(0x)?[0-9a-fA-F]*$' },
    bytes: { type: 'string', description: 'Hex; text with `visible` where the field is one of texts' },
    address: { type: 'string', description: 'Hex of 21 bytes (41…), or Base58Check with `visible`' },
    object: { type: 'object' },
    'object[]': { type: 'array', items: { type: 'object' } },
    'text[]': { type: 'array', items: { type: 'string' } },
    'hex[]': { type: 'array', items: { type: 'string' } },
};
const VISIBLE = { name: 'visible', kind: 'bool', isRequired: false };
/** OpenAPI 3.1 document of the HTTP interface, made from the tables that requests are answered by. */
export function openApiDocument({ ports, disabled, release }) {
    const paths = {};
    const replies = new Set();
    for (const [server, port] of Object.entries(ports)) {
        for (const route of routesOf(server, release).values()) {
            if (paths[route.path] !== undefined || disabled.includes(route.name.toLowerCase()))
                continue;
            const { reply } = argumentsOf(route.family);
            if (reply !== undefined)
                replies.add(reply);
            paths[route.path] = { servers: [serverAt(port)], ...operations(server, route) };
        }
    }
    return {
        openapi: '3.1.0',
        info: {
            title: 'Tronicle HTTP API',
            version: release.name,
            summary: 'The HTTP interface of java-tron 4.7.2, as this node serves it',
            description: 'Answers are JSON with status 200 also for failures, which have the member `Error`. Numbers of 64 bits are JSON numbers.',
            license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
        },
        tags: Object.keys(ports).map((name) => ({ name, description: tags[name] })),
        paths,
        components: { schemas: { Failure: FAILURE, ...messageSchemas([...replies].sort()) } },
    };
}
const FAILURE = {
    type: 'object',
    properties: { Error: { type: 'string', examples: ['class java.lang.NumberFormatException : null'] } },
    required: ['Error'],
};
function serverAt(port) {
    return { url: `http://{host}:${port}`, variables: { host: { default: '127.0.0.1' } } };
}
function operations(server, route) {
    const { get, post, path, family } = route;
    const { fields, reply } = argumentsOf(family);
    const all = [...fields, VISIBLE];
    const base = (method) => ({
        operationId: `${method}${path.replace(/\W+(\w)/g, (_, letter) => letter.toUpperCase())}`,
        summary: family.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '),
        tags: [server],
        responses: {
            200: { description: 'The answer, or what failed', content: { 'application/json': { schema: answer(reply) } } },
        },
    });
    return {
        ...(get === undefined || get === 'empty' ? {} : { get: { ...base('get'), parameters: all.map(queryParameter) } }),
        ...(post === undefined ? {} : { post: { ...base('post'), requestBody: body(all) } }),
    };
}
function answer(reply) {
    const good = reply === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${reply}` };
    return { anyOf: [good, { $ref: '#/components/schemas/Failure' }] };
}
function queryParameter({ name, kind, isRequired }) {
    return { name, in: 'query', required: isRequired, schema: schemaOfKind[kind] };
}
function body(fields) {
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const schema = {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ name, kind }) => [name, schemaOfKind[kind]])),
        ...(required.length === 0 ? {} : { required }),
    };
    return { content: { 'application/json': { schema } } };
}
//# sourceMappingURL=document.js.map