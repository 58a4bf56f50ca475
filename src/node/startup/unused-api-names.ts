import { grpcServices } from '../../api/grpc/services.js';
import { handlerNames, routesOf } from '../../api/http/route-table.js';
import type { ApiRelease } from '../../api/releases/api-release.js';
import { apiRelease } from '../../api/releases/releases.js';
import { apiName } from '../../api/request-path.js';
import { serverNames } from '../../api/servers.js';
import { V1_COMPONENT } from '../../api/v1/v1-routes.js';
import type { NodeConfig } from '../../config/load-config.js';
import { nearestWord } from '../../primitives/nearest-word.js';

/**
 * Returns a warning for each configured API name that the release does not have. A rate limit or a disabled API with
 * such a name has no effect. java-tron ignores these names silently.
 */
export function unusedApiNames({ node, rateLimiter, tronicle }: NodeConfig): readonly string[] {
  const release = apiRelease(tronicle.release);
  const components = (limits: readonly { readonly component: string }[]) => limits.map(({ component }) => component);
  return [
    ...unused('rate.limiter.http', components(rateLimiter.http), () => [...handlerNames(release), V1_COMPONENT]),
    ...unused('rate.limiter.rpc', components(rateLimiter.rpc), () => rpcNames(release)),
    ...unused('node.disabledApi', node.disabledApi, () => [
      ...httpNames(release),
      ...rpcNames(release).map((name) => name.slice(name.indexOf('/') + 1).toLowerCase()),
    ]),
  ];
}

/**
 * @param knownNames returns the known names. Called only if `names` is not empty, because listing all APIs takes time
 */
function unused(key: string, names: readonly string[], knownNames: () => readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const known = knownNames();
  const all = new Set(known);
  return names
    .filter((name) => !all.has(name))
    .map(
      (name) =>
        `${key} has the unknown name ${JSON.stringify(name)}, which has no effect; the nearest known one is ` +
        nearestWord(name, known).word,
    );
}

/** Returns the gRPC methods of all ports, also those of a solidity node, as `protocol.<Service>/<Method>`. */
function rpcNames(release: ApiRelease): readonly string[] {
  return KINDS.flatMap((isAlone) =>
    serverNames.flatMap((server) => {
      const alone = isAlone ? { hasExtension: true } : undefined;
      const services = grpcServices(server, { release, hasMonitor: true, alone });
      return Object.entries(services).flatMap(([service, methods]) =>
        Object.keys(methods).map((method) => `${service}/${method}`),
      );
    }),
  );
}

/** Returns the HTTP APIs of all ports, also those of a solidity node. */
function httpNames(release: ApiRelease): readonly string[] {
  return KINDS.flatMap((isAlone) =>
    serverNames.flatMap((server) =>
      [...routesOf(server, release, isAlone).keys()].flatMap((path) => apiName(path) ?? []),
    ),
  );
}

/** Values of `isAlone`: false for a full node, true for a solidity node. */
const KINDS = [false, true];
