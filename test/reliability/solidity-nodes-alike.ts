import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { apiRelease } from '../../src/api/releases/releases.js';
import type { Chain } from '../../src/chain/chain.js';
import { Block } from '../../src/codec/generated/messages.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig, type NodeConfig } from '../../src/config/load-config.js';
import { openChain } from '../../src/node/open-chain.js';
import { FollowTrustedNode } from '../../src/node/solidity/follow-trusted-node.js';
import { itemAt, present } from '../../src/primitives/assert.js';
import type { WriterLedger } from '../../src/projections/ledger/writer-ledger.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { flagsOf, readLines } from '../conformance/recording.js';
import type { BlockLine } from '../conformance/replay-session.js';
import { Random } from '../fuzz/random.js';
import { comparable } from './answers/comparable.js';
import { QuestionMaker } from './answers/make-question.js';
import { serveOwn } from './answers/own-node.js';
import { NodeClient, type Ports, type Question } from './answers/question.js';
import { ReferenceNode } from './answers/reference-node.js';
import { namedRecording } from './answers/request-both.js';
import { readSeeds } from './answers/seeds.js';
import { shownDifference } from './answers/shown-difference.js';
import { compiledReference } from './reference/compiled.js';
import type { Measurement } from './run.js';

const SHOWN = 20;
const log = pino({ level: 'error' });

/**
 * gRPC methods that only a solidity node has; the solidity port of a full node does not have them. `Nothing` exists
 * on no node.
 */
const OF_ITS_OWN: readonly string[] = ['GetTransactionsFromThis', 'GetTransactionsToThis', 'Nothing'].map(
  (name) => `protocol.WalletExtension/${name}`,
);

/**
 * Compares a solidity node of Tronicle with one of java-tron. Both follow a full node of Tronicle over gRPC. Its chain
 * is a recording in which one signature is changed. Both solidity nodes receive the same requests, which are changed
 * copies of the recorded requests for the solidified state.
 */
export const solidityNodesAlike: Measurement = {
  title: 'matches the solidity node of java-tron',
  gate: 3_000,
  night: 100_000,
  async run({ count, folder, random }) {
    const recording = namedRecording();
    const flags = flagsOf(recording).filter((flag) => flag !== '--no-repush');
    const full = await openNode(recording, join(folder, 'full'), flags);
    for await (const { num, block } of readLines<BlockLine>(join(recording, 'blocks.ndjson.gz')))
      if (num !== 0 && block !== undefined) full.chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
    mutateSignature(full.chain);
    const trusted = await serveOwn(full.chain, full.config);
    const address = `127.0.0.1:${trusted.ports.grpc.fullnode}`;
    const alone = await openNode(recording, join(folder, 'alone'), [...flags, '--solidity', '--trust-node', address]);
    const following = new FollowTrustedNode({ chain: alone.chain, address, log });
    const own = await serveOwn(alone.chain, alone.config);
    const reference = await ReferenceNode.start(compiledReference(), join(folder, 'reference'), recording, {
      more: `node.trustNode = "${address}"`,
      program: 'SolidNode',
    });
    const { grpc, ...ports } = reference.ports;
    const theirs = new NodeClient({ ...ports, grpc: { ...grpc, solidity: grpc.fullnode } });
    const ours = new NodeClient(own.ports);
    const differences: string[] = [];
    const first = Math.floor(random() * 2 ** 30);
    const height = full.chain.solidifiedNumber;
    try {
      const head = await reference.until(height);
      while (alone.chain.solidifiedNumber < height) await sleep(50);
      assert.equal(headOf(alone.chain), head);
      const release = apiRelease(full.config.tronicle.release);
      const seeds = await readSeeds(recording);
      const questions = new QuestionMaker(seeds, release);
      const plain = OF_ITS_OWN.map(
        (path): Question => ({ protocol: 'grpc', server: 'solidity', method: 'unary', path }),
      );
      for (let at = 0; at < count; at++) {
        const question = plain[at] ?? questionOfState(questions, new Random(first + at, seeds.bytes));
        const [their, our] = await Promise.all([theirs.request(question), ours.request(question)]);
        const [expected, found] = [comparable(question, their, true), comparable(question, our, false)];
        if (expected !== found) differences.push(shownDifference({ question, theirs: expected, ours: found }));
      }
      await checkClosed(reference.ports, own.ports);
    } finally {
      theirs.close();
      ours.close();
      reference.stop();
      await following.close();
      await own.close();
      await trusted.close();
      await alone.chain.ledger.close();
      await full.chain.ledger.close();
    }
    const text = `${height} blocks, ${count} questions from ${first} on, ${differences.length} answers differ`;
    assert.equal(differences.length, 0, [text, ...differences.slice(0, SHOWN)].join('\n'));
    return text;
  },
};

/** Changes a signature in the newest solidified block that has a transaction. Neither node checks this signature. */
function mutateSignature({ ledger, solidifiedNumber }: Chain): void {
  const blockOf = ledger.block.bind(ledger);
  let number = solidifiedNumber;
  while (decodeBlock(present(blockOf(number), 'the block is on the chain').block).transactions.length === 0) number--;
  const entry = present(blockOf(number), 'the block is on the chain');
  const message = Block.decode(entry.block);
  const signature = itemAt(itemAt(message.transactions, 0).signature, 0);
  signature.set([itemAt([...signature], 5) ^ 1], 5);
  const mutated: ReturnType<WriterLedger['block']> = { ...entry, block: Block.encode(message) };
  ledger.block = (height) => (height === number ? mutated : blockOf(height));
}

async function openNode(
  recording: string,
  folder: string,
  flags: readonly string[],
): Promise<{ readonly chain: Chain; readonly config: NodeConfig }> {
  mkdirSync(folder);
  const file = join(folder, 'config.conf');
  writeFileSync(file, readFileSync(join(recording, 'config.conf')));
  const { config } = loadConfig({ file, flags: parseFlags(flags).flags });
  return { config, chain: await openChain({ config, dataDir: join(folder, 'data'), log }) };
}

function headOf({ ledger }: Chain): string {
  const { headNumber, headId } = ledger.position;
  return `head ${headNumber} ${Buffer.from(headId).toString('hex')}`;
}

/** Returns a request over HTTP or gRPC. A solidity node has no JSON-RPC port. */
function questionOfState(questions: QuestionMaker, random: Random): Question {
  for (;;) {
    const question = questions.make(random, random.chance(0.6) ? 'http' : 'grpc');
    if (question.server === 'solidity') return question;
  }
}

/** Checks that neither solidity node listens on JSON-RPC ports, or on ports that only a full node has. */
async function checkClosed(theirs: Ports, ours: Ports): Promise<void> {
  for (const protocol of ['http', 'jsonrpc', 'grpc'] as const)
    for (const server of ['fullnode', 'pbft'] as const) {
      if (protocol === 'grpc' && server === 'fullnode') continue;
      assert.equal(ours[protocol][server], undefined, `${protocol} ${server}`);
      await assert.rejects(fetch(`http://127.0.0.1:${theirs[protocol][server]}/`), `${protocol} ${server}`);
    }
  await assert.rejects(fetch(`http://127.0.0.1:${theirs.jsonrpc.solidity}/`));
  assert.equal(ours.jsonrpc.solidity, undefined);
}
