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
  // The schema declares this service without methods.
  Network: [],
  // A separate java-tron program that verifies proofs offers this service.
  TronZksnark: [],
} as const satisfies Readonly<Record<keyof Services, readonly ServerName[]>>;

type ServedService = {
  readonly [Service in keyof Services]: (typeof serviceServers)[Service] extends readonly [] ? never : Service;
}[keyof Services];

/**
 * Names of all RPCs that a server offers, without the service. An RPC with the same name in several services is
 * identical in all of them.
 */
export type RpcName = { readonly [Service in ServedService]: keyof Services[Service] }[ServedService];

type Declaration<Name extends RpcName> = {
  readonly [Service in ServedService]: Name extends keyof Services[Service] ? Services[Service][Name] : never;
}[ServedService];

/** Request message of an RPC. */
export type RpcRequest<Name extends RpcName> = InstanceType<Declaration<Name>['request']>;

/** Response message of an RPC. */
export type RpcReply<Name extends RpcName> = InstanceType<Declaration<Name>['reply']>;

type Rpcs = Readonly<Record<string, { readonly request: MessageType<object> }>>;

/** Services that a solidity node offers in addition to those of the server `solidity`. */
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

/** Returns the full names of an RPC, one per service that has it, for example `protocol.Wallet/GetNowBlock`. */
export function rpcPaths(rpc: RpcName): readonly string[] {
  return Object.entries<Rpcs>(services).flatMap(([service, rpcs]) =>
    Object.hasOwn(rpcs, rpc) ? [`protocol.${service}/${rpc}`] : [],
  );
}
