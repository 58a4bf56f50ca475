import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { NodeConfig } from '../../../config/load-config.js';

/** A port that the configuration opens. */
interface ListenPort {
  readonly key: string;
  /** Name of the interface that the port serves. */
  readonly purpose: string;
  readonly host: string;
  readonly port: number;
  readonly kind: 'tcp' | 'udp';
}

/** A port that cannot be opened. */
export interface RefusedPort extends ListenPort {
  /** Error code of the operating system, such as EADDRINUSE. */
  readonly code: string;
}

/** Tries to open the configured ports. @returns the number of these ports, and the ports that cannot be opened */
export async function tryPorts(
  config: NodeConfig,
): Promise<{ readonly count: number; readonly refused: readonly RefusedPort[] }> {
  const ports = listenPorts(config);
  const tried = await Promise.all(ports.map(async (port) => ({ port, code: await tryPort(port) })));
  const refused = tried.flatMap(({ port, code }) => (code === undefined ? [] : [{ ...port, code }]));
  return { count: ports.length, refused };
}

/** Tries to open a port. Returns the system's error code; undefined if the port is available. */
function tryPort({ host, port, kind }: ListenPort): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    if (kind === 'tcp') {
      // The server closes only after its last connection, so it destroys the connection of a client that connects at
      // this moment.
      const server = createServer((socket) => socket.destroy()).once('error', fail);
      server.listen({ host, port }, () => server.close(() => resolve(undefined)));
    } else {
      const socket = createSocket('udp4').once('error', fail);
      socket.bind(port, host, () => socket.close(() => resolve(undefined)));
    }
  });
}

/** Returns the configured ports. Omits port 0, for which the system chooses a free port. */
function listenPorts({ node, tronicle, p2pDisable, witness }: NodeConfig): ListenPort[] {
  const { http, rpc, jsonrpc, metrics } = node;
  const { address } = tronicle.api;
  const all = '0.0.0.0';
  const rows: [isOn: boolean, key: string, purpose: string, port: number, host?: string, kind?: 'udp'][] = [
    [http.fullNodeEnable, 'node.http.fullNodePort', 'HTTP', http.fullNodePort],
    [http.solidityEnable, 'node.http.solidityPort', 'HTTP of the solidified state', http.solidityPort],
    [http.pbftEnable, 'node.http.PBFTPort', 'HTTP of the PBFT state', http.pbftPort],
    [rpc.enable, 'node.rpc.port', 'gRPC', rpc.port],
    [rpc.solidityEnable, 'node.rpc.solidityPort', 'gRPC of the solidified state', rpc.solidityPort],
    [rpc.pbftEnable, 'node.rpc.PBFTPort', 'gRPC of the PBFT state', rpc.pbftPort],
    [jsonrpc.httpFullNodeEnable, 'node.jsonrpc.httpFullNodePort', 'JSON-RPC', jsonrpc.httpFullNodePort],
    [
      jsonrpc.httpSolidityEnable,
      'node.jsonrpc.httpSolidityPort',
      'JSON-RPC of the solidified state',
      jsonrpc.httpSolidityPort,
    ],
    [jsonrpc.httpPBFTEnable, 'node.jsonrpc.httpPBFTPort', 'JSON-RPC of the PBFT state', jsonrpc.httpPBFTPort],
    [metrics.prometheus.enable, 'node.metrics.prometheus.port', 'Prometheus metrics', metrics.prometheus.port],
    [tronicle.http.enable, 'tronicle.http.port', 'status page and GraphQL', tronicle.http.port, tronicle.http.address],
    [tronicle.admin.enable, 'tronicle.admin.port', 'admin server', tronicle.admin.port, tronicle.admin.address],
    [!p2pDisable, 'node.listen.port', 'peers', node.listen.port, all],
    [!p2pDisable && node.discovery.enable, 'node.listen.port', 'peer discovery', node.listen.port, all, 'udp'],
    [
      witness.enabled && node.backup.members.length > 0,
      'node.backup.port',
      'backup witnesses',
      node.backup.port,
      all,
      'udp',
    ],
    ...(['follow', 'libp2p'] as const).flatMap((section) =>
      tronicle[section].listen.map((text): [boolean, string, string, number, string] => {
        // The address is a multiaddr: /ip4/<address>/tcp/<port>[/ws]
        const [, , host = all, , port] = text.split('/');
        return [true, `tronicle.${section}.listen`, PURPOSES[section], Number(port), host];
      }),
    ),
  ];
  return rows
    .filter(([isOn, , , port]) => isOn && port > 0)
    .map(([, key, purpose, port, host = address, kind]) => ({ key, purpose, port, host, kind: kind ?? 'tcp' }));
}

const PURPOSES = { follow: 'light clients in browsers', libp2p: 'encrypted links with peers' } as const;
