import type { MessageType } from '../codec/descriptor.js';
import { services } from '../codec/generated/services.js';
import { type ServerName, serverNames } from './servers.js';

type Services = typeof services;

/**
 * Servers that provide each gRPC service.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 */
const serviceServers = {
  Wallet: ['fullnode'],
  WalletSolidity: ['solidity', 'pbft'],
  // This service exists only on a solidity node.
  WalletExtension: [],
  Database: serverNames,
  Monitor: ['fullnode'],
  // The schema declares this service, but no methods of it.
  Network: [],
  // Only a separate java-tron program, which verifies proofs, has this service.
  TronZksnark: [],
} as const satisfies Readonly<Record<keyof Services, readonly ServerName[]>>;

type ServedService = {
  readonly [Service in keyof Services]: (typeof serviceServers)[Service] extends readonly [] ? never : Service;
}[keyof Services];

/**
 * Names of all RPCs that at least one server has, without the name of the service. If several services have an RPC of
 * the same name, their request types and reply types are the same.
 */
export type RpcName = { readonly [Service in ServedService]: keyof Services[Service] }[ServedService];

type Declaration<Name extends RpcName> = {
  readonly [Service in ServedService]: Name extends keyof Services[Service] ? Services[Service][Name] : never;
}[ServedService];

export type RpcRequest<Name extends RpcName> = InstanceType<Declaration<Name>['request']>;

export type RpcReply<Name extends RpcName> = InstanceType<Declaration<Name>['reply']>;

type Rpcs = Readonly<Record<string, { readonly request: MessageType<object> }>>;

/** Services of a solidity node in addition to those of the server `solidity`. */
const aloneServices: readonly (keyof Services)[] = ['WalletExtension', 'Monitor'];

/**
 * Returns the services of a server with their RPCs.
 * @param isAlone true for the server `solidity` of a solidity node
 */
export function servicesOf(server: ServerName, isAlone = false): readonly (readonly [service: string, rpcs: Rpcs])[] {
  const names = new Set<string>(isAlone ? aloneServices : []);
  for (const [service, servers] of Object.entries<readonly ServerName[]>(serviceServers))
    if (servers.includes(server)) names.add(service);
  return Object.entries<Rpcs>(services).filter(([service]) => names.has(service));
}

/**
 * Returns the full names of an RPC, for example `protocol.Wallet/GetNowBlock`. The list has one name for each service
 * that has the RPC.
 */
export function rpcPaths(rpc: RpcName): readonly string[] {
  return Object.entries<Rpcs>(services).flatMap(([service, rpcs]) =>
    Object.hasOwn(rpcs, rpc) ? [`protocol.${service}/${rpc}`] : [],
  );
}
