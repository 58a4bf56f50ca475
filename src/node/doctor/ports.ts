import type { NodeConfig } from '../../config/load-config.js';
import { TronError } from '../../primitives/errors.js';
import { tryPorts } from '../serving/ports/listen-ports.js';
import { type Finding, finding } from './finding.js';
import { portHolder } from './port-holder.js';

/**
 * Checks all ports that the configuration opens, in one finding.
 * @param isRunning true if a node uses the data folder; ports in use may then be ports of that node
 */
export async function checkPorts(config: NodeConfig, isRunning: boolean): Promise<Finding> {
  const { count, refused } = await tryPorts(config);
  if (refused.length === 0) return finding('ports', 'ok', `${count} free`, '');
  const named = refused.map(({ key, port, kind, code }) => `${key} ${port}/${kind} (${code})`).join(', ');
  if (isRunning) return finding('ports', 'ok', `${refused.length} in use while the node of this folder is running`, '');
  return finding(
    'ports',
    'bad',
    named,
    'stop the process that uses these ports (ss -lntup shows the process), or configure other ports',
  );
}

/**
 * Checks all ports that the configuration opens.
 * @param remedies advice for the operator, imperative clauses
 * @throws {TronError} PORT_IN_USE: a port cannot be opened; the message names the first such port, its interface, and
 * the process that uses the port
 */
export async function requirePorts(
  config: NodeConfig,
  remedies: { readonly port: string; readonly address: string },
): Promise<void> {
  const [first] = (await tryPorts(config)).refused;
  if (first === undefined) return;
  const { host, port, purpose, key, code } = first;
  const start = `port ${port} for ${purpose} (${key})`;
  // The system reports this code if the configured address belongs to no interface of this machine.
  if (code === 'EADDRNOTAVAIL')
    throw new TronError('PORT_IN_USE', `${host} is not an address of this machine: ${remedies.address}`);
  if (code !== 'EADDRINUSE')
    throw new TronError('PORT_IN_USE', `${start} cannot be opened at ${host} (${code}): ${remedies.port}`);
  const holder = portHolder(port);
  const by = holder === undefined ? 'another process' : `process ${holder.pid} (${holder.command})`;
  throw new TronError('PORT_IN_USE', `${start} is in use by ${by}: stop that process, or ${remedies.port}`);
}
