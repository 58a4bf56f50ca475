import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { machineClock } from '../../chain/clock.js';
import { createTravelClock } from '../../chain/travel-clock.js';
import type { NodeConfig } from '../../config/load-config.js';
import { UsageError } from '../../primitives/errors.js';
import { readArguments } from '../command-line/read-arguments.js';
import { devnetAccounts } from '../devnet/devnet-accounts.js';
import { readNetworkFile } from '../devnet/network-file.js';
import { isInUse } from '../doctor/data.js';
import { requirePorts } from '../doctor/ports.js';
import { TronicleNode } from '../lifecycle/node.js';
import { createFileLog, logLevel } from '../logging.js';
import { startServices } from '../startup/start-services.js';
import { untilStopped } from '../until-stopped.js';
import type { Command } from './command.js';

/** Runs a private network on this machine. */
export const devnet: Command = {
  run,
};

/**
 * Maximum number of blocks that the start produces to fill past slots. Slots of 20 ms can pass faster than a slow
 * machine produces blocks, and the start would then never end.
 */
const BLOCKS_AT_START_MAX = 1000;

async function run(args: readonly string[]): Promise<number> {
  const { options } = readArguments(args, 'devnet');
  const option = options.get('--log-level');
  logLevel({ option });
  const dataDir = options.get('--data') ?? join('data', 'devnet');
  const file = readNetworkFile(dataDir, options.has('--fresh'), {
    host: options.get('--host'),
    portBase: options.get('--port-base'),
    kafka: options.get('--kafka'),
    release: options.get('--release'),
    chainId: options.get('--chain-id'),
    blockTime: options.get('--block-time'),
    accounts: options.get('--accounts'),
    mnemonic: options.get('--mnemonic'),
  });
  const { config } = file;
  await requirePorts(config, {
    port: 'move all ports with --port-base <port>',
    address: 'set --host to an address of this machine, or to 0.0.0.0',
  });
  if (options.has('--fresh') && (await isInUse(dataDir)))
    throw new UsageError(
      `${dataDir} is in use by another process: stop this process before --fresh deletes the network`,
    );
  file.write();
  const logFile = join(dataDir, 'tronicle.log');
  const log = createFileLog(logFile, logLevel({ option, key: config.tronicle.log.level }));
  const { node, isNew } = await open(config, dataDir, log);
  printAccounts(config);
  printAddresses(config, logFile);
  // Sets the signal handlers before the first server listens, so that a signal at any later time closes the node.
  const stopped = untilStopped();
  await startServices(node);
  // Slots have passed since the head block, because the start of the servers takes time. Produces the blocks of these
  // slots now. Clients may already read the node, so a failed write does not stop the command. The node then tries
  // again in the next slot.
  if (isNew) await fillFirstSlots(node).catch((err: unknown) => log.error({ err }, 'block production failed'));
  node.startProducing();
  await stopped;
  await node.close();
  return 0;
}

interface OpenedNetwork {
  readonly node: TronicleNode;
  /**
   * True if the network had only genesis before this start. All blocks after genesis were then produced by `open` in
   * this start.
   */
  readonly isNew: boolean;
}

async function open(config: NodeConfig, dataDir: string, log: Logger): Promise<OpenedNetwork> {
  const clock = createTravelClock(machineClock);
  const node = await TronicleNode.open({ config, dataDir, log, clock });
  const headMs = node.chain.state.properties.number('latest_block_header_timestamp');
  // The head is later than the clock if an earlier run set the clock forward.
  if (headMs > clock.now()) clock.travelTo(headMs);
  const isNew = node.chain.ledger.position.headNumber === 0;
  if (isNew) await fillFirstSlots(node);
  return { node, isNew };
}

/** Produces the blocks of the slots that have passed since the head, so that none of these slots remains empty. */
async function fillFirstSlots(node: TronicleNode): Promise<void> {
  for (let count = 0; count < BLOCKS_AT_START_MAX && (await node.produceNextSlot()); count++);
}

function printAccounts({ tronicle }: NodeConfig): void {
  const lines = devnetAccounts(tronicle.devnet).map(({ address, privateKey }) => `  ${address}  ${privateKey}`);
  process.stdout.write(`Funded accounts (address, private key), 1,000,000,000 TRX each:\n${lines.join('\n')}\n`);
}

/** Prints the addresses of the APIs. The sink of type `stdout` later prints one line per solidified transaction. */
function printAddresses({ node, tronicle }: NodeConfig, logFile: string): void {
  const { address } = tronicle.api;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(address) ? 'localhost' : address;
  const at = (port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const addresses = [
    ['Status page', `http://${at(tronicle.http.port)}`],
    ['Follow', `http://${at(tronicle.http.port)}/follow/ (light client in the browser)`],
    ['HTTP', `http://${at(node.http.fullNodePort)}/wallet/…, /v1/…`],
    ['JSON-RPC', `http://${at(node.jsonrpc.httpFullNodePort)}/jsonrpc`],
    ['gRPC', at(node.rpc.port)],
    [
      'Listening',
      `at ${address}${address === '127.0.0.1' ? ', this machine only (--host 0.0.0.0: all interfaces)' : ''}`,
    ],
    ['Log', logFile],
    ['Events', 'below, one JSON line per solidified transaction'],
  ];
  process.stdout.write(`${addresses.map(([what, where]) => `${what?.padEnd(12)}${where}`).join('\n')}\n`);
}
