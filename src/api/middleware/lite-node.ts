import type { ChainView } from '../context/api-context.js';
import { endpoints } from '../endpoints/endpoint-table.js';
import { rpcPaths } from '../rpc-services.js';
import { httpContexts } from '../servers.js';

/** Error text for an interface that a lite node does not offer. The HTTP response is this text without a newline. */
export const LITE_REFUSAL = 'this API is closed because this node is a lite fullnode';

/** Paths to which a lite full node does not respond. Reference: LiteFnQueryHttpFilter. */
export const litePaths: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ name, closedOnLite }) =>
    (closedOnLite?.paths ?? []).map((server) => `${httpContexts[server]}${name}`),
  ),
);

const closedRpcs = endpoints.filter(({ closedOnLite }) => closedOnLite?.rpc).flatMap(({ rpc }) => rpc);

/** gRPC methods to which a lite full node does not respond. Reference: LiteFnQueryGrpcInterceptor. */
export const liteMethods: ReadonlySet<string> = new Set(closedRpcs.flatMap(rpcPaths));

/**
 * Returns true if the node was started from a snapshot, so that the first blocks of the chain are missing. A node that
 * has executed all blocks is never a lite node. Reference: ChainBaseManager.isLiteNode.
 */
export function isLiteNode(head: ChainView): boolean {
  return head.headNumber > 1 && head.blockIdAt(1) === undefined;
}
