import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { bootstrap } from '../../src/node/bootstrap/bootstrap.js';
import { chainRules, genesisOf } from '../../src/node/chain-config.js';
import { toHex } from '../../src/primitives/bytes.js';
import { LineHash } from '../../src/projections/state/line-hash.js';
import { findStoreId, MARKET_PAIR_PRICE_TO_ORDER, storeName } from '../../src/projections/state/stores.js';
import { readLines } from './recording.js';
import { type BlockLine, openRecorded, Replay, type Report } from './replay-session.js';

interface Expected {
  readonly head: number;
  readonly headId: string;
  readonly solid: number;
  readonly stores: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
}

const ARCHIVE = 'output-directory.tgz';
/** Names of the recordings from which the data folders were created. */
const CHAINS = ['modern', 'system-tour'];

export function hasJavaData(folder: string): boolean {
  return existsSync(join(folder, ARCHIVE)) && existsSync(join(folder, 'expected.json'));
}

/**
 * Bootstraps from a data folder of java-tron and compares all rows with the recording. Then imports the recorded blocks
 * above its head.
 */
export async function replayJavaData(
  folder: string,
  name: string,
  onDifference: (text: string) => void,
): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const differ = (text: string): void => {
    report.mismatched++;
    report.first ??= text;
    onDifference(text);
  };
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  try {
    const { config } = loadConfig({ file: join(folder, 'config.conf'), flags: parseFlags([]).flags });
    const { head, solidified, sums } = await bootstrap({
      source: join(folder, ARCHIVE),
      dataDir,
      genesisId: genesisOf(config, chainRules(config)).id,
      history: 300,
    });
    report.operations++;
    if (head.number !== expected.head || toHex(head.id) !== expected.headId || solidified.number !== expected.solid) {
      differ(`head ${head.number} ${toHex(head.id)}, solidified ${solidified.number}`);
    }
    for (const { store, rows, sha256 } of sums) {
      report.operations++;
      const should = expected.stores[storeName(store)];
      if (should?.rows !== rows || should.sha256 !== toHex(sha256))
        differ(`${storeName(store)}: ${rows} rows, ${toHex(sha256)}`);
    }
    const chain = await openRecorded(folder, dataDir);
    try {
      for (const [store, { rows, sha256 }] of Object.entries(expected.stores)) {
        report.operations++;
        const sum = sumOf(
          chain.ledger.head.range(findStoreId(store)!),
          findStoreId(store) === MARKET_PAIR_PRICE_TO_ORDER,
        );
        if (sum.rows !== rows || sum.sha256 !== sha256) differ(`state ${store}: ${sum.rows} rows, ${sum.sha256}`);
      }
      const blocks = await blocksAbove(folder, expected);
      const replay = new Replay(chain, differ);
      replay.begin();
      for (const line of blocks) {
        report.operations++;
        if (!replay.block(line)) break;
      }
    } finally {
      await chain.ledger.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

function sumOf(range: Iterable<{ readonly key: Uint8Array; readonly value: Uint8Array }>, isSorted: boolean) {
  const hash = new LineHash();
  const rows = [...range].map(({ key, value }) => [Buffer.from(key), Buffer.from(value)] as const);
  if (isSorted) rows.sort(([a], [b]) => a.compare(b));
  for (const [key, value] of rows) hash.add(key, value);
  return { rows: rows.length, sha256: toHex(hash.finish()) };
}

/**
 * Returns the blocks above the head from the recording that contains the head. Returns an empty list if no recording
 * contains it.
 */
async function blocksAbove(folder: string, { head, headId }: Expected): Promise<BlockLine[]> {
  for (const chain of CHAINS) {
    const file = join(dirname(dirname(folder)), chain, 'blocks.ndjson.gz');
    if (!existsSync(file)) continue;
    const blocks: BlockLine[] = [];
    let isOurs = false;
    for await (const line of readLines<BlockLine>(file)) {
      if (line.num === head) isOurs = line.id === headId;
      if (line.num > head && isOurs) blocks.push(line);
    }
    if (isOurs) return blocks;
  }
  return [];
}
