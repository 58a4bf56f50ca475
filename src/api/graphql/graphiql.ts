import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** Folder of the built page. The relative path is the same from `src/api/graphql` and from `dist/api/graphql`. */
const BUILT = new URL('../../../dist/graphiql/', import.meta.url);
/** Files of the page. This node serves all of them, so the page needs no internet access. */
const FILES = ['react.js', 'react-dom.js', 'graphiql.js', 'graphiql.css'];

/** Serves GraphiQL at /graphiql, with support for subscriptions. */
export function serveGraphiql(app: FastifyInstance): void {
  for (const name of FILES) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    const file = fileURLToPath(new URL(name, BUILT));
    app.get(`/graphiql/${name}`, (_, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=86400').send(createReadStream(file)),
    );
  }
  app.get('/graphiql', (_, reply) => reply.type('text/html').send(PAGE));
}

const EXAMPLE = `# Current status of this node and its newest blocks. See the docs panel on the left.
query Now {
  status { headNumber solidifiedNumber pending transactionsPerSecond }
  blocks(first: 5) { nodes { number id transactionCount } pageInfo { endCursor } }
}

subscription Live {
  blocks(finality: APPLIED) { cursor kind block { number transactionCount } }
}
`;

/**
 * HTML of GraphiQL. The page sends queries as POST requests. Each subscription has its own WebSocket, which is closed
 * when the subscription ends.
 */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Tronicle</title>
<link rel="stylesheet" href="/graphiql/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0 }</style>
</head>
<body>
<div id="graphiql">Loading…</div>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script>
const endpoint = '/graphql';
const post = async (body) => (await fetch(endpoint, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
})).json();
const follow = (payload) => ({ subscribe(observer) {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + endpoint, 'graphql-transport-ws');
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: 'connection_init' });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'connection_ack') send({ id: '1', type: 'subscribe', payload });
    if (message.type === 'next') observer.next(message.payload);
    if (message.type === 'error') { observer.next({ errors: message.payload }); observer.complete(); }
    if (message.type === 'complete') observer.complete();
    if (message.type === 'ping') send({ type: 'pong' });
  };
  socket.onclose = () => observer.complete();
  return { unsubscribe: () => socket.close() };
} });
const isSubscription = ({ query, operationName }, { documentAST } = {}) =>
  documentAST ? documentAST.definitions.some((node) => node.operation === 'subscription'
    && (!operationName || node.name?.value === operationName)) : /^\\s*subscription/.test(query);
const fetcher = (body, options) => isSubscription(body, options) ? follow(body) : post(body);
ReactDOM.createRoot(document.getElementById('graphiql'))
  .render(React.createElement(GraphiQL, { fetcher, defaultQuery: ${JSON.stringify(EXAMPLE)} }));
</script>
</body>
</html>
`;
