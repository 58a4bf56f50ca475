import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serverNames } from '../../src/api/servers.js';
import { Random } from '../fuzz/random.js';
import { golden } from '../support/tronicle.js';
import { asEarlierJava } from './answers/comparable.js';
import { TwoNodes } from './answers/two-nodes.js';
import { comparableExchange, exchange } from './answers/wire/exchange.js';
import { RawRequestMaker } from './answers/wire/make-raw-request.js';
import { callRaw, inOneWay, makeRawCall } from './answers/wire/raw-call.js';
import { compiledReference } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Environment variable with the folder of a recording that has API transcripts. */
const RECORDING = 'TRONICLE_RECORDING';
const SHOWN = 20;
/** Maximum number of requests that are pending at the same time. */
const AT_ONCE = 8;
const MESSAGE_BYTES_MAX = 1_000;

/** Additional configurations of both nodes. Each of them is used for an equal part of the requests. */
const CONFIGURATIONS = [
  '',
  'node.disabledApi = ["getburntrx", "GetBlockByNum", "listwitnesses", "getnowblock2", ""]',
  [
    `node.rpc.maxMessageSize = ${MESSAGE_BYTES_MAX}, node.http.maxMessageSize = 4000, node.rpc.maxHeaderListSize = 2000`,
    'rate.limiter.http = [{ component = "GetBurnTrxServlet", strategy = "GlobalPreemptibleAdapter", paramString = "permit=0" }]',
  ].join('\n'),
];
const MESSAGE_BYTES_DEFAULT = 4 * 1024 * 1024;

/** Names of HTTP methods. While no block arrives, their results are constant and not random. */
const NAMES = ['getburntrx', 'getaccount', 'getblockbynum', 'gettransactionbyid', 'listwitnesses', 'getnodeversion'];
const METHODS = ['GetBurnTrx', 'GetAccount', 'GetBlockByNum', 'GetNowBlock2', 'GetTransactionById'];

/**
 * Compares this node with java-tron on raw requests, with several configurations. Each request depends only on its
 * number and the seed.
 *
 * HTTP/1 requests are well-formed, and status, type and body of the answers must be equal. If java-tron's HTTP
 * container rejects a request, this node must reject it too. HTTP/2 calls may be invalid; headers, bodies, trailers,
 * resets and the ends of connections must be equal.
 */
export const answersOnTheWire: Measurement = {
  title: 'matches java-tron on raw requests',
  gate: 3_000,
  night: 30_000,
  async run({ count, folder, random }) {
    const recording = process.env[RECORDING] ?? join(golden, 'off');
    const first = Math.floor(random() * 2 ** 30);
    const differences: string[] = [];
    let at = 0;
    for (const [turn, more] of CONFIGURATIONS.entries()) {
      const own = join(folder, String(turn));
      mkdirSync(own);
      const nodes = await TwoNodes.start(recording, compiledReference(), own, { more });
      const bytesMax = more.includes('maxMessageSize') ? MESSAGE_BYTES_MAX : MESSAGE_BYTES_DEFAULT;
      // java-tron 4.7.2 serves a disabled path if the path is written in another form. With `disabledApi`, paths are
      // therefore written in their usual form.
      const trial = { bytesMax, spelled: !more.includes('disabledApi') };
      try {
        const end = Math.ceil((count * (turn + 1)) / CONFIGURATIONS.length);
        const requestOn = async (): Promise<void> => {
          while (at < end) {
            const seed = first + at++;
            const difference = await tryOne(nodes, new Random(seed, []), trial);
            if (difference !== undefined) differences.push(`${seed} ${difference}`);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, requestOn));
      } finally {
        await nodes.close();
      }
    }
    const text = `${count} requests from ${first} on, ${differences.length} answers differ`;
    assert.equal(differences.length, 0, [text, ...differences.slice(0, SHOWN)].join('\n'));
    return text;
  },
};

interface Trial {
  /** Maximum size of a gRPC message of the configuration, in bytes. */
  readonly bytesMax: number;
  readonly spelled: boolean;
}

/** Sends the same request to both nodes. @returns the request and both responses if they differ */
async function tryOne({ ports }: TwoNodes, random: Random, { bytesMax, spelled }: Trial): Promise<string | undefined> {
  const server = random.pick(serverNames);
  if (random.chance(0.3)) {
    const service = server === 'fullnode' ? 'protocol.Wallet' : 'protocol.WalletSolidity';
    const methods = METHODS.map((name) => `${service}/${name}`);
    const call = makeRawCall(methods, random, bytesMax);
    const [theirs, ours] = await Promise.all([
      callRaw(ports.theirs.grpc[server], call),
      callRaw(ports.ours.grpc[server], call),
    ]);
    return inOneWay(theirs) === inOneWay(ours)
      ? undefined
      : shown(JSON.stringify(call.headers) + call.bytes.subarray(0, 99).toString('hex'), theirs, ours);
  }
  const protocol = random.chance(0.8) ? 'http' : 'jsonrpc';
  const context = { fullnode: '/wallet/', solidity: '/walletsolidity/', pbft: '/walletpbft/' }[server];
  const paths = protocol === 'http' ? NAMES.map((name) => `${context}${name}`) : ['/jsonrpc'];
  const bytes = new RawRequestMaker(paths, spelled).make(random);
  const [theirs, ours] = await Promise.all([
    exchange(ports.theirs[protocol][server], bytes),
    exchange(ports.ours[protocol][server], bytes),
  ]);
  const [expected, found] = [asEarlierJava(comparableExchange(theirs)), comparableExchange(ours)];
  return expected === found
    ? undefined
    : shown(`${protocol} ${JSON.stringify(bytes.toString('latin1'))}`, expected, found);
}

function shown(request: string, theirs: string, ours: string): string {
  return `${request.slice(0, 400)}\n   java-tron: ${theirs.slice(0, 500)}\n   here:      ${ours.slice(0, 500)}`;
}
