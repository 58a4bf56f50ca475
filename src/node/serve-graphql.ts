import { createGraphqlServer } from '../api/graphql/graphql-server.js';
import { serveStatusPage } from '../api/status-page/status-page.js';
import { createApiContext } from './api-context.js';
import type { TronicleNode } from './node.js';

/**
 * Serves GraphQL, GraphiQL and the status page (`tronicle.http`). A port that cannot be had is an error in the log; the node runs on
 * without them.
 */
export async function addGraphql(node: TronicleNode): Promise<void> {
  const { chain, config, log, clock } = node;
  const { enable, address, port } = config.tronicle.http;
  if (!enable) return;
  const api = createApiContext({ chain, config, now: clock.now });
  const server = await createGraphqlServer({ ledger: chain.ledger, rules: chain.state.rules, api, log });
  await serveStatusPage(server);
  node.add({ close: () => server.close() });
  try {
    await server.listen({ host: address, port });
    log.info({ api: 'graphql', address, port }, 'serves');
  } catch (error) {
    log.error({ err: error, api: 'graphql', address, port }, 'cannot serve');
  }
}
