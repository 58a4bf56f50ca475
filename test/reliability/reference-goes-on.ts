import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Chain } from '../../src/chain/chain.js';
import { Account } from '../../src/codec/generated/messages.js';
import { JavaData } from '../../src/java-tron-data/java-data.js';
import { storeOrders } from '../../src/node/bootstrap/store-orders.js';
import { compareBytes, toHex, toInt64 } from '../../src/primitives/bytes.js';
import { LineHash } from '../../src/projections/state/line-hash.js';
import type { StateRow } from '../../src/projections/state/state-reader.js';
import { javaStoreIds, type StoreId, storeId, storeName } from '../../src/projections/state/stores.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { readLines } from '../conformance/recording.js';
import { type BlockLine, openRecorded } from '../conformance/replay-session.js';
import { freePort } from '../support/free-port.js';
import { golden, runTronicle } from '../support/tronicle.js';
import { compileDriver, compiledReference } from './reference/compiled.js';
import type { Measurement } from './run.js';

const recording = join(golden, 'system-tour');
/**
 * Number of blocks that java-tron receives after it has opened the folder. It exceeds the number of newest blocks
 * (about 16) that java-tron does not write when it stops.
 */
const FOLLOWING = 90;
const KEPT_AT_LEAST = 50;
const JAVA = [
  '-Xmx1500m',
  ...['--add-opens', 'java.base/java.lang=ALL-UNNAMED', '--add-opens', 'java.base/java.util=ALL-UNNAMED'],
];

/**
 * Executes a recorded chain up to some blocks before its end, and exports it by `tronicle export --java`. java-tron
 * opens the exported folder and continues the chain. Its answers and block ids must equal those of this node. When
 * java-tron has stopped, all rows of its folder must equal those of this node.
 */
export const referenceGoesOn: Measurement = {
  title: 'exports a folder that java-tron 4.7.2 opens and continues',
  gate: 1,
  night: 1,
  async run({ folder }) {
    const reference = compiledReference();
    const blocks: Buffer[] = [];
    for await (const { block } of readLines<BlockLine>(join(recording, 'blocks.ndjson.gz'))) {
      if (block !== undefined) blocks.push(Buffer.from(block, 'hex'));
    }
    const [dataDir, java] = [join(folder, 'data'), join(folder, 'java')];
    let chain = await openRecorded(recording, dataDir);
    const start = blocks.length - FOLLOWING;
    for (const block of blocks.slice(0, start)) chain.importBlock(decodeBlock(block));
    await chain.ledger.close();
    const exported = await runTronicle(['export', '--java', java, ...flags(dataDir)]);
    assert.equal(exported.code, 0, exported.stderr);

    chain = await openRecorded(recording, dataDir);
    const port = await freePort();
    const node = new PushedNode(reference, folder, java, port);
    assert.equal(await node.next(), headOf(chain), 'the head after the start');
    const accounts = await compareAnswers(chain, port);
    for (const [at, block] of blocks.slice(start).entries()) {
      chain.importBlock(decodeBlock(block));
      assert.equal(await node.push(block), headOf(chain), `following block ${at + 1}`);
    }
    assert.equal(await node.stop(), 'stopped');

    const data = new JavaData(java, storeOrders);
    const head = Number(toInt64(data.property('latest_block_header_number')!));
    assert.ok(head >= start + KEPT_AT_LEAST, `java-tron stored blocks up to ${head} only`);
    const view = chain.ledger.at(head);
    let rows = 0;
    for (const store of javaStoreIds.filter((id) => data.has(storeName(id)))) {
      const theirs = data.rows(storeName(store));
      const sum = sumOf(store, theirRows(theirs));
      assert.deepEqual(sumOf(store, view.range(store)), sum, storeName(store));
      rows += sum.rows;
      theirs.close();
    }
    await chain.ledger.close();
    return (
      `opened at block ${start}, ${accounts} accounts with equal answers, ${FOLLOWING} blocks with equal ids; after its stop at block ` +
      `${head}: ${rows} rows, 0 mismatched`
    );
  },
};

function flags(dataDir: string): string[] {
  return ['-c', join(recording, 'config.conf'), '-d', dataDir];
}

function headOf({ ledger }: Chain): string {
  const { headNumber, headId } = ledger.position;
  return `head ${headNumber} ${toHex(headId)}`;
}

/** A java-tron process to which blocks are pushed. It reads one line per command and writes one line per answer. */
class PushedNode {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(reference: string, folder: string, java: string, port: number) {
    const config = join(folder, 'config.conf');
    const text = readFileSync(join(recording, 'config.conf'), 'utf8');
    writeFileSync(config, text.replace(/fullNodePort = \d+/, `fullNodePort = ${port}`));
    const path = compileDriver('PushedNode', reference, folder);
    const args = [...JAVA, '-cp', path, 'PushedNode', '-d', java, '-c', config, '--p2p-disable', 'true'];
    this.child = spawn('java', args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  async next(): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error('java-tron ended; its log is logs/tron.log');
      if (/^(head|stopped)/.test(value)) return value;
    }
  }

  push(block: Buffer): Promise<string> {
    this.child.stdin!.write(`${block.toString('hex')}\n`);
    return this.next();
  }

  stop(): Promise<string> {
    this.child.stdin!.end();
    return this.next();
  }
}

/** Compares the answers to `getnowblock`, and to `getaccount` for every account. @returns the number of accounts */
async function compareAnswers({ ledger }: Chain, port: number): Promise<number> {
  const request = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}/wallet/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  assert.equal((await request('getnowblock', {}))['blockID'], toHex(ledger.position.headId));
  let accounts = 0;
  for (const { key, value } of ledger.head.range(storeId('account'))) {
    const { balance, createTime } = Account.decode(value);
    const answer = await request('getaccount', { address: toHex(key) });
    // JSON.parse rounds numbers above 2^53, so the expected number is rounded too.
    assert.equal(Number(answer['balance'] ?? 0), Number(balance), toHex(key));
    assert.equal(Number(answer['create_time'] ?? 0), Number(createTime), toHex(key));
    accounts++;
  }
  return accounts;
}

function* theirRows(rows: ReturnType<JavaData['rows']>): IterableIterator<StateRow> {
  while (rows.next()) yield { key: Buffer.from(rows.key), value: Buffer.from(rows.value) };
}

/** Matches keys of the store `delegation` whose rows are copies of accounts, written when the accounts voted. */
const ACCOUNT_VOTE = /-account-vote$/;

/**
 * Returns the number of rows and a hash over them. Excludes the TRC10 balances in the copies of accounts that have
 * voted. In java-tron, the time of the last write to disk decides if a copy contains these balances
 * (SnapshotRoot.processAccount), and no rule reads them.
 */
function sumOf(store: StoreId, rows: Iterable<StateRow>): { rows: number; sha256: string } {
  const hash = new LineHash();
  const sorted = [...rows].sort((a, b) => compareBytes(a.key, b.key));
  for (const { key, value } of sorted) {
    const isVoter = store === storeId('delegation') && ACCOUNT_VOTE.test(Buffer.from(key).toString('latin1'));
    hash.add(key, isVoter ? withoutTokens(value) : value);
  }
  return { rows: sorted.length, sha256: toHex(hash.finish()) };
}

function withoutTokens(value: Uint8Array): Uint8Array {
  const account = Account.decode(value);
  account.asset.clear();
  account.assetV2.clear();
  return Account.encode(account);
}
