import { timingSafeEqual } from 'node:crypto';
import Fastify, {} from 'fastify';
import { TronError } from '../../log/domain/errors.js';
import { sha256 } from '../../log/domain/hash.js';
/** Configurations of sinks are small. */
const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_MS = 30_000;
const CONNECTIONS_MAX = 32;
/** What commands change in a running node, over HTTP with a bearer token; not yet listening. */
export function createAdminServer({ sinks, token, log }) {
    const app = Fastify({ bodyLimit: BODY_BYTES_MAX, requestTimeout: REQUEST_MS, forceCloseConnections: true });
    app.server.maxConnections = CONNECTIONS_MAX;
    const wanted = sha256(Buffer.from(`Bearer ${token}`));
    app.addHook('onRequest', async (request, reply) => {
        const given = sha256(Buffer.from(request.headers.authorization ?? ''));
        if (!timingSafeEqual(given, wanted))
            return reply.code(401).send({ error: 'wrong or missing token' });
    });
    app.setErrorHandler((error, request, reply) => {
        if (error instanceof TronError)
            return reply.code(400).send({ error: error.message });
        const status = error.statusCode ?? 500;
        if (status >= 500)
            log.error({ err: error, path: request.url }, 'an admin request failed');
        return reply.code(status).send({ error: error.message });
    });
    app.get('/sinks', async () => sinks.list());
    app.post('/sinks', { schema: object('name', 'type') }, async ({ body }) => {
        await sinks.add(body);
        return { added: body.name };
    });
    const named = (path, act) => {
        app.post(`/sinks/:name/${path}`, async ({ params }) => {
            await act(params.name);
            return { sink: params.name, done: path };
        });
    };
    named('pause', (name) => sinks.pause(name));
    named('resume', (name) => sinks.resume(name));
    named('remove', (name) => sinks.remove(name));
    app.post('/sinks/:name/filter', { schema: object() }, async ({ params, body }) => {
        await sinks.setFilter(params.name, body);
        return { sink: params.name, done: 'filter' };
    });
    app.post('/backfill', { schema: backfillSchema }, async ({ body }) => {
        const { sink, note } = await sinks.backfill(body);
        return note === undefined ? { sink } : { note, sink };
    });
    return app;
}
function object(...required) {
    return { body: { type: 'object', required } };
}
const height = { type: 'integer', minimum: 0 };
const backfillSchema = {
    body: {
        type: 'object',
        required: ['sink', 'topic', 'from'],
        additionalProperties: false,
        properties: {
            sink: { type: 'string' },
            topic: { type: 'string' },
            from: height,
            to: height,
            into: { type: 'string' },
        },
    },
};
//# sourceMappingURL=admin-server.js.map