import { createInterface } from 'node:readline';
import { ProducerKeys } from '../../chain/production/producer-keys.js';
import { loadConfig } from '../../config/load-config.js';
import { UsageError } from '../../primitives/errors.js';
import { readArguments, wrongUsage } from '../command-line/read-arguments.js';
import { createLog } from '../logging.js';
import { openChain } from '../open-chain.js';
import { serveApis } from '../serving/serve-apis.js';
import { servedLocally } from '../serving/served-node.js';
import { NODE_CLOSE_LIMITS, serveSinks } from '../sinks/serve-sinks.js';
import {
  type DriverAnswer,
  type DriverRequest,
  TestDriverError,
  TestDriverSession,
} from '../test-driver/test-driver-session.js';
import type { Command } from './command.js';

/**
 * Runs the node for a test driver. Reads one JSON request per line from standard input, and prints one response line
 * for each.
 */
export const testDriver: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags, options } = readArguments(args, 'test-driver');
  const dataDir = options.get('--data');
  if (dataDir === undefined) throw wrongUsage('test-driver', 'test-driver needs --data <folder>');
  const log = createLog({ destination: 2 });
  const { config, warnings } = loadConfig({
    flags,
    defaults: { 'tronicle.http.enable': 'false', 'tronicle.history.retention': 'all' },
    readsKeys: true,
  });
  for (const warning of warnings) log.warn(warning);
  if (config.tronicle.sinks.some(({ type }) => type === 'stdout')) {
    throw new UsageError(
      'tronicle.sinks: remove the sink of type stdout, because test-driver writes its answers to standard output',
    );
  }
  const chain = await openChain({ config, dataDir, log });
  const session = new TestDriverSession({
    chain,
    offersAgain: !options.has('--no-repush'),
    isSorted: config.node.openTransactionSort,
    keys: config.witness.privateKeys,
  });
  const keys = new ProducerKeys(config.addressPrefix);
  for (const key of config.witness.privateKeys) keys.add(key);
  const sinks = serveSinks({ config, dataDir, chain, log, closeLimits: NODE_CLOSE_LIMITS });
  const services = await serveApis(servedLocally({ chain, config, log, now: Date.now, producers: keys.addresses }));
  write(session.status());
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const request = parse(line);
    if (!(request instanceof Error) && request.op === 'exit') {
      write(session.status());
      break;
    }
    write(request instanceof Error ? { error: request.name, message: request.message } : await session.answer(request));
  }
  // Closes standard input, because an input that the driver does not close would keep this process alive.
  process.stdin.destroy();
  for (const service of services) await service.close();
  await sinks.close();
  await chain.ledger.close();
  return 0;
}

function parse(line: string): DriverRequest | TestDriverError {
  try {
    const request: unknown = JSON.parse(line);
    if (typeof request === 'object' && request !== null) return request as DriverRequest;
  } catch {
    return new TestDriverError('invalid JSON in the request line');
  }
  return new TestDriverError('the request line is not a JSON object');
}

function write(answer: DriverAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
