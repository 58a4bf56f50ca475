import type { MessageType } from '../codec/descriptor.js';
import { services } from '../codec/generated/services.js';
import { type ServerName, serverNames } from './servers.js';

type Services = typeof services;

/**
 * Servers that have a service of the schema.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 */
const serviceServers = {
  Wallet: ['fullnode'],
  WalletSolidity: ['solidity', 'pbft'],
  // A matter of the solidity node.
  WalletExtension: [],
  Database: serverNames,
  Monitor: ['fullnode'],
  // Declared without a method.
  Network: [],
  // A program of its own, which checks proofs.
  TronZksnark: [],
} as const satisfies Readonly<Record<keyof Services, readonly ServerName[]>>;

type ServedService = {
  readonly [Service in keyof Services]: (typeof serviceServers)[Service] extends readonly [] ? never : Service;
}[keyof Services];

/** Short names of all RPCs that are served. One that several services have is the same in all of them. */
export type RpcName = { readonly [Service in ServedService]: keyof Services[Service] }[ServedService];

type Declaration<Name extends RpcName> = {
  readonly [Service in ServedService]: Name extends keyof Services[Service] ? Services[Service][Name] : never;
}[ServedService];

/** Message that an RPC is asked with. */
export type RpcRequest<Name extends RpcName> = InstanceType<Declaration<Name>['request']>;

/** Message that it answers. */
export type RpcReply<Name extends RpcName> = InstanceType<Declaration<Name>['reply']>;

type Rpcs = Readonly<Record<string, { readonly request: MessageType<object> }>>;

/** What a solidity node may have beside the services of the server `solidity`. */
const aloneServices: readonly (keyof Services)[] = ['WalletExtension', 'Monitor'];

/** Services of a server, and what each declares. @param isAlone the server `solidity` of a solidity node */
export function servicesOf(server: ServerName, isAlone = false): readonly (readonly [service: string, rpcs: Rpcs])[] {
  const names = new Set<string>(isAlone ? aloneServices : []);
  for (const [service, servers] of Object.entries<readonly ServerName[]>(serviceServers))
    if (servers.includes(server)) names.add(service);
  return Object.entries<Rpcs>(services).filter(([service]) => names.has(service));
}

/** Names of an RPC on the wire, one for each service that has it: `protocol.Wallet/GetNowBlock`. */
export function rpcPaths(rpc: RpcName): readonly string[] {
  return Object.entries<Rpcs>(services).flatMap(([service, rpcs]) =>
    Object.hasOwn(rpcs, rpc) ? [`protocol.${service}/${rpc}`] : [],
  );
}
