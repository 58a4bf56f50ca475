import type { UnreadyReason } from '../../api/health/readiness.js';
import type { NodeConfig } from '../../config/load-config.js';
import { errorText } from '../../primitives/errors.js';
import { type Finding, finding } from './finding.js';

const CHECK = 'readiness';
const TIMEOUT_MS = 5000;
/** Listen addresses for all interfaces, each with the loopback address at which the node can be reached. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Queries `/readyz` of the running node. Returns no finding if no node runs. A storage failure is critical. */
export async function checkReadiness({ tronicle }: NodeConfig, isRunning: boolean): Promise<Finding[]> {
  if (!isRunning) return [];
  const { enable, address, port } = tronicle.http;
  if (!enable)
    return [
      finding(
        CHECK,
        'unknown',
        'tronicle.http.enable is false',
        'set tronicle.http.enable = true, and restart the node',
      ),
    ];
  const host = LOOPBACK[address] ?? address;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { reasons } = (await response.json()) as { readonly reasons: readonly UnreadyReason[] };
    return [findingOf(reasons)];
  } catch (error) {
    const found = `a process has the data folder open, but ${url} does not answer: ${errorText(error)}`;
    const remedy =
      'pass the configuration file of the running node with -c; the node may run in another container with this volume';
    return [finding(CHECK, 'unknown', found, remedy)];
  }
}

function findingOf(reasons: readonly UnreadyReason[]): Finding {
  if (reasons.length === 0) return finding(CHECK, 'ok', 'ready for clients', '');
  const isStored = reasons.every(({ check }) => check !== 'storage');
  const found = reasons.map(({ message }) => message).join('; ');
  const remedy = isStored
    ? 'see the section Health of docs/operations.md'
    : 'free disk space, and check the disk and dmesg; the node stores the blocks as soon as the disk is writable';
  return finding(CHECK, isStored ? 'warn' : 'bad', found, remedy);
}
