import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { NodeConfig } from '../../config/load-config.js';
import { type Finding, finding } from './finding.js';

interface Port {
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly kind: 'tcp' | 'udp';
}

/**
 * Checks all ports that the configuration opens, in one finding.
 * @param isRunning a node has the data folder open, so ports in use may be its own
 */
export async function checkPorts(config: NodeConfig, isRunning: boolean): Promise<Finding> {
  const ports = portsOf(config);
  const refused = (await Promise.all(ports.map(async (port) => ({ ...port, code: await tryPort(port) })))).filter(
    ({ code }) => code !== undefined,
  );
  if (refused.length === 0) return finding('ports', 'ok', `${ports.length} free`, '');
  const named = refused.map(({ key, port, kind, code }) => `${key} ${port}/${kind} (${code})`).join(', ');
  if (isRunning) return finding('ports', 'ok', `${refused.length} in use while the node of this folder is running`, '');
  return finding('ports', 'bad', named, 'stop the process that uses them (ss -lntup), or configure other ports');
}

/** Returns the error code if the port is not available, otherwise undefined. */
function tryPort({ host, port, kind }: Port): Promise<string | undefined> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    if (kind === 'tcp') {
      const server = createServer().once('error', fail);
      server.listen({ host, port }, () => server.close(() => resolve(undefined)));
    } else {
      const socket = createSocket('udp4').once('error', fail);
      socket.bind(port, host, () => socket.close(() => resolve(undefined)));
    }
  });
}

/** Returns the configured ports. Port 0 is omitted, because the system chooses a free one. */
function portsOf({ node, tronicle, p2pDisable, witness }: NodeConfig): Port[] {
  const { http, rpc, jsonrpc, metrics } = node;
  const all = '0.0.0.0';
  const rows: [isOn: boolean, key: string, port: number, host?: string, kind?: 'udp'][] = [
    [http.fullNodeEnable, 'node.http.fullNodePort', http.fullNodePort],
    [http.solidityEnable, 'node.http.solidityPort', http.solidityPort],
    [http.pbftEnable, 'node.http.PBFTPort', http.pbftPort],
    [rpc.enable, 'node.rpc.port', rpc.port],
    [rpc.solidityEnable, 'node.rpc.solidityPort', rpc.solidityPort],
    [rpc.pbftEnable, 'node.rpc.PBFTPort', rpc.pbftPort],
    [jsonrpc.httpFullNodeEnable, 'node.jsonrpc.httpFullNodePort', jsonrpc.httpFullNodePort],
    [jsonrpc.httpSolidityEnable, 'node.jsonrpc.httpSolidityPort', jsonrpc.httpSolidityPort],
    [jsonrpc.httpPBFTEnable, 'node.jsonrpc.httpPBFTPort', jsonrpc.httpPBFTPort],
    [metrics.prometheus.enable, 'node.metrics.prometheus.port', metrics.prometheus.port],
    [tronicle.http.enable, 'tronicle.http.port', tronicle.http.port, tronicle.http.address],
    [tronicle.admin.enable, 'tronicle.admin.port', tronicle.admin.port, tronicle.admin.address],
    [!p2pDisable, 'node.listen.port', node.listen.port],
    [!p2pDisable && node.discovery.enable, 'node.listen.port', node.listen.port, all, 'udp'],
    [witness.enabled && node.backup.members.length > 0, 'node.backup.port', node.backup.port, all, 'udp'],
    ...(['follow', 'libp2p'] as const).flatMap((section) =>
      tronicle[section].listen.map((address): [boolean, string, number, string] => {
        // Multiaddrs: /ip4/<address>/tcp/<port>[/ws]
        const [, , host = all, , port] = address.split('/');
        return [true, `tronicle.${section}.listen`, Number(port), host];
      }),
    ),
  ];
  return rows
    .filter(([isOn, , port]) => isOn && port > 0)
    .map(([, key, port, host = all, kind]) => ({ key, port, host, kind: kind ?? 'tcp' }));
}
