import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createFastClock, machineClock } from '../../chain/clock.js';
import { createTravelClock, type TravelClock } from '../../chain/travel-clock.js';
import { NO_FLAGS } from '../../config/flags.js';
import { loadConfig, type NodeConfig } from '../../config/load-config.js';
import { UsageError } from '../../primitives/errors.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';
import { devnetAccounts } from '../devnet/devnet-accounts.js';
import { TronicleNode } from '../lifecycle/node.js';
import { createFileLog } from '../logging.js';
import { startServices } from '../startup/start-services.js';
import { untilStopped } from '../until-stopped.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { CommandUsageError } from './command-help.js';

/** Runs a private network on this machine. */
export const devnet: Command = {
  run,
};

const TEMPLATE = fileURLToPath(new URL('../../../config/devnet.conf', import.meta.url));
/** Slots between the genesis time of a new network and its first start. Their blocks are produced at the start. */
const SLOTS_BEFORE_START = 3;
/** Maximum number of blocks produced at once. With 20 ms per block the clock can run ahead of a slow machine. */
const BLOCKS_AT_START_MAX = 1000;

async function run(args: readonly string[]): Promise<number> {
  const { options, words } = readArguments(args, {
    '--data': 'value',
    '--fresh': 'switch',
    '--block-time': 'value',
    '--kafka': 'value',
  });
  if (words.length > 0) throw CommandUsageError.of('devnet');
  const dataDir = options.get('--data') ?? join('data', 'devnet');
  if (options.has('--fresh')) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const logFile = join(dataDir, 'tronicle.log');
  const log = createFileLog(logFile);
  const file = configFile(dataDir, options.get('--kafka'));
  const { config } = loadConfig({ file, flags: { ...NO_FLAGS, witness: true, p2pDisable: true } });
  const { node, clock, isNew } = await open(config, dataDir, options.get('--block-time'), log);
  printAccounts();
  printPlaces(config, logFile);
  await startServices(node);
  if (isNew) await closeStartGap(node, clock);
  node.startProducing();
  await untilStopped();
  await node.close();
  return 0;
}

interface OpenedNetwork {
  readonly node: TronicleNode;
  readonly clock: TravelClock;
  /** True if the network has only the blocks that `open` created. */
  readonly isNew: boolean;
}

async function open(
  config: NodeConfig,
  dataDir: string,
  blockTime: string | undefined,
  log: Logger,
): Promise<OpenedNetwork> {
  const speed = blockTime === undefined ? 1 : SLOT_MS / blockTimeMs(blockTime);
  const head = await headTime(config, dataDir, log);
  const base =
    speed === 1 && head <= Date.now() ? machineClock : createFastClock(Math.max(head, startOf(speed, head)), speed);
  const clock = createTravelClock(base);
  const node = await TronicleNode.open({ config, dataDir, log, clock });
  const isNew = node.chain.ledger.position.headNumber === 0;
  if (isNew) await fillFirstSlots(node);
  return { node, clock, isNew };
}

/**
 * Closes the gap between the head and the clock after the start of the interfaces, however long that took. The next
 * block then takes the slot after the head. An accelerated clock is set back to the head's time. With a clock of normal
 * speed, the missed slots are filled with blocks.
 */
async function closeStartGap(node: TronicleNode, clock: TravelClock): Promise<void> {
  if (clock.speed === 1) await fillFirstSlots(node);
  else clock.travelTo(node.chain.state.properties.number('latest_block_header_timestamp'));
}

/** Produces the blocks of the slots that have passed, so that no slot is empty. */
async function fillFirstSlots(node: TronicleNode): Promise<void> {
  for (let count = 0; count < BLOCKS_AT_START_MAX && (await node.produceNextSlot()); count++);
}

/** Start time of the accelerated clock, in ms: the head's time, or the current time if that is later. */
function startOf(speed: number, head: number): number {
  return speed === 1 ? head : Math.max(head, Date.now());
}

async function headTime(config: NodeConfig, dataDir: string, log: Logger): Promise<number> {
  const node = await TronicleNode.open({
    config: { ...config, witness: { enabled: false, privateKeys: [] } },
    dataDir,
    log,
  });
  try {
    return node.chain.state.properties.number('latest_block_header_timestamp');
  } finally {
    await node.close();
  }
}

function blockTimeMs(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 20 && value <= SLOT_MS) return value;
  throw new UsageError(`invalid --block-time: ${text}; use an integer of ms in 20..${SLOT_MS}`);
}

/** Returns the configuration file of the data folder. Its genesis time is set at the first start. */
function configFile(dataDir: string, kafka: string | undefined): string {
  const file = join(dataDir, 'devnet.conf');
  if (!existsSync(file)) {
    const genesisTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS - SLOTS_BEFORE_START * SLOT_MS;
    writeFileSync(file, readFileSync(TEMPLATE, 'utf8').replaceAll('{{genesisTime}}', String(genesisTime)));
  }
  if (kafka === undefined) return file;
  const withKafka = join(dataDir, 'devnet-kafka.conf');
  const sink = `{ name = "kafka", type = kafka, bootstrap = "${kafka}", prefix = "tronicle", topics = [ transaction ] }`;
  writeFileSync(withKafka, `${readFileSync(file, 'utf8')}\ntronicle.sinks += ${sink}\n`);
  return withKafka;
}

function printAccounts(): void {
  const lines = devnetAccounts().map(({ address, privateKey }) => `  ${address}  ${privateKey}`);
  process.stdout.write(`Funded accounts (address, private key), 1,000,000,000 TRX each:\n${lines.join('\n')}\n`);
}

/** Prints the addresses of the APIs. Then the sink of type `stdout` prints one line per solidified transaction. */
function printPlaces({ node, tronicle }: NodeConfig, logFile: string): void {
  const places = [
    ['Status page', `http://localhost:${tronicle.http.port}`],
    ['Follow', `http://localhost:${tronicle.http.port}/follow/ (light client in the browser)`],
    ['HTTP', `http://localhost:${node.http.fullNodePort}/wallet/…, /v1/…`],
    ['JSON-RPC', `http://localhost:${node.jsonrpc.httpFullNodePort}/jsonrpc`],
    ['gRPC', `localhost:${node.rpc.port}`],
    ['Log', logFile],
    ['Events', 'below, one JSON line per solidified transaction'],
  ];
  process.stdout.write(`${places.map(([what, where]) => `${what?.padEnd(12)}${where}`).join('\n')}\n`);
}
