import { grpcServices } from '../../api/grpc/services.js';
import { handlerNames, routesOf } from '../../api/http/route-table.js';
import { apiRelease } from '../../api/releases/releases.js';
import { apiName } from '../../api/request-path.js';
import { serverNames } from '../../api/servers.js';
import { V1_COMPONENT } from '../../api/v1/v1-routes.js';
import type { NodeConfig } from '../../config/load-config.js';
import { nearestWord } from '../../primitives/nearest-word.js';

/**
 * Returns a warning for each name in the configuration that is no API of the release, so that a limit or a disabled API
 * has no effect. java-tron ignores such names silently.
 */
export function unusedApiNames({ node, rateLimiter, tronicle }: NodeConfig): readonly string[] {
  const release = apiRelease(tronicle.release);
  const handlers = [...handlerNames(release), V1_COMPONENT];
  const rpcs = [false, true].flatMap((isAlone) =>
    serverNames.flatMap((server) => {
      const alone = isAlone ? { hasExtension: true } : undefined;
      const services = grpcServices(server, { release, hasMonitor: true, alone });
      return Object.entries(services).flatMap(([service, methods]) =>
        Object.keys(methods).map((method) => `${service}/${method}`),
      );
    }),
  );
  const paths = [false, true].flatMap((isAlone) =>
    serverNames.flatMap((server) =>
      [...routesOf(server, release, isAlone).keys()].flatMap((path) => apiName(path) ?? []),
    ),
  );
  const apis = [...paths, ...rpcs.map((name) => name.slice(name.indexOf('/') + 1).toLowerCase())];
  const named = (key: string, names: readonly string[], known: readonly string[]): readonly string[] => {
    const all = new Set(known);
    const unknown = names.filter((name) => !all.has(name));
    return unknown.map(
      (name) =>
        `${key} has the unknown name ${JSON.stringify(name)}, which has no effect; the nearest known one is ` +
        nearestWord(name, known).word,
    );
  };
  const components = (limits: readonly { readonly component: string }[]) => limits.map(({ component }) => component);
  return [
    ...named('rate.limiter.http', components(rateLimiter.http), handlers),
    ...named('rate.limiter.rpc', components(rateLimiter.rpc), rpcs),
    ...named('node.disabledApi', node.disabledApi, apis),
  ];
}
