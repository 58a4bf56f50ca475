import type { BuilderRpc } from '../../encoding/contract-types/contract-interfaces.js';
import { present } from '../../primitives/assert.js';
import { allRpcEndpoints } from '../endpoints/endpoint-table.js';
import type { ApiRelease } from '../releases/api-release.js';
import { type RpcName, servicesOf } from '../rpc-services.js';
import type { ServerName } from '../servers.js';
import {
  type GrpcEntry,
  type GrpcHandler,
  type GrpcMethod,
  type GrpcMethods,
  GrpcStatusError,
  grpcMethod,
} from './grpc-method.js';
import { GrpcStatus } from './grpc-reply.js';
import { accountMethods } from './methods/account-methods.js';
import { assetMethods } from './methods/asset-methods.js';
import { blockMethods } from './methods/block-methods.js';
import { builderMethods, buildMethods } from './methods/build-methods.js';
import { chainMethods } from './methods/chain-methods.js';
import { grpcMethods } from './methods/rpc-methods.js';
import { shieldedMethods } from './methods/shielded-methods.js';
import { stakeMethods } from './methods/stake-methods.js';
import { transactionMethods } from './methods/transaction-methods.js';

/**
 * Implementation of each RPC. If neither an endpoint nor a contract type implements an RPC of the schema, that is a
 * compile error.
 */
const methods: Readonly<Record<Exclude<RpcName, BuilderRpc>, GrpcEntry>> = {
  ...accountMethods,
  ...assetMethods,
  ...blockMethods,
  ...buildMethods,
  ...chainMethods,
  ...grpcMethods,
  ...shieldedMethods,
  ...stakeMethods,
  ...transactionMethods,
};

const entries: ReadonlyMap<string, GrpcEntry> = new Map([...Object.entries(methods), ...builderMethods()]);

const laterRpcs: ReadonlySet<string> = new Set(
  allRpcEndpoints.filter(({ laterRpc }) => laterRpc).flatMap(({ rpc }) => rpc),
);

export interface StandaloneServices {
  /** True if the port has the service `WalletExtension` (`node.walletExtensionApi`). */
  readonly hasExtension: boolean;
}

/** Settings that select the gRPC services of a port, together with the name of the server. */
interface ServicesOptions {
  readonly release: Pick<ApiRelease, 'hasLaterQueries'>;
  /** True if the port has the service `Monitor` (`node.metricsEnable`). */
  readonly hasMonitor?: boolean | undefined;
  /** Additional services of a solidity node; undefined on other nodes. */
  readonly alone?: StandaloneServices | undefined;
}

/** Returns the services of a port by full name, with the methods that the schema declares. See `rpc-services.ts`. */
export function grpcServices(
  server: ServerName,
  { release: { hasLaterQueries }, hasMonitor = false, alone }: ServicesOptions,
): Readonly<Record<string, GrpcMethods>> {
  const services: Record<string, GrpcMethods> = {};
  for (const [service, rpcs] of servicesOf(server, alone !== undefined)) {
    if (service === 'Monitor' && !hasMonitor) continue;
    if (service === EXTENSION && alone?.hasExtension !== true) continue;
    const methods: Record<string, GrpcMethod> = {};
    for (const [name, { request }] of Object.entries(rpcs)) {
      if (laterRpcs.has(name) && !hasLaterQueries) continue;
      methods[name] = { ...handlerOf(name, server, service), request };
    }
    services[`protocol.${service}`] = methods;
  }
  return services;
}

/**
 * Name of the service that java-tron's solidity node declares, but does not implement. Reference:
 * RpcApiService.WalletExtensionApi
 */
const EXTENSION = 'WalletExtension';

function handlerOf(name: string, server: ServerName, service: string): GrpcHandler {
  if (service === EXTENSION) return declared(`protocol.${service}/${name}`);
  const entry = present(entries.get(name), 'the type requires a method for every RPC');
  const handler = typeof entry === 'string' || 'run' in entry ? entry : entry[server];
  return handler === 'declared' ? declared(`protocol.${service}/${name}`) : handler;
}

/**
 * Creates the handler of a method that java-tron declares but does not implement. As java-tron does, it decodes the
 * request and then rejects the call.
 */
function declared(name: string): GrpcHandler {
  return grpcMethod(() => {
    throw new GrpcStatusError(GrpcStatus.UNIMPLEMENTED, `Method ${name} is unimplemented`);
  });
}
