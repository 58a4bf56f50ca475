import { join } from 'node:path';
import pino from 'pino';
import { Chain } from '../../../src/chain/chain.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openEnvironment } from '../../../src/log/lmdb/environment.js';
import { readBlockFile } from '../../../src/node/blocks/block-file.js';
import { chainRules, genesisOf, ledgerOptions } from '../../../src/node/chain-config.js';
import { present } from '../../../src/primitives/assert.js';
import { openLedger } from '../../../src/projections/ledger/open-ledger.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { createSmartContractMachine } from '../../../src/vm/smart-contract/machine.js';
import type { ScaleFigures } from './scale-figures.js';
import { scaleChain } from './scale-source.js';

/**
 * Number of blocks that stay in the log. The configuration permits at least 65,536. With a small number, each commit
 * soon deletes as many blocks as it adds.
 */
const RETENTION = 30;
/** Number of blocks of each of the three phases: before, during and after the open snapshot. */
const PHASE_BLOCKS = 40;

/** Sizes of an LMDB file. */
interface FileUse {
  /** Bytes up to the last page that was ever used. */
  readonly used: number;
  /** Number of pages that the free list itself uses. */
  readonly listPages: number;
}

/** Statistics of an LMDB environment. The types of the lmdb package do not describe them. */
interface Stats {
  readonly lastPageNumber: number;
  readonly pageSize: number;
  readonly free: { readonly treeLeafPageCount: number; readonly overflowPages: number };
}

/**
 * Imports blocks while old blocks are pruned: without a reader, with an open snapshot, and after the snapshot. LMDB
 * cannot reuse pages that the snapshot may read, so its file grows. After the snapshot is closed, the file must not
 * grow.
 */
export async function measurePruning(dataDir: string, file: string, figures: ScaleFigures): Promise<void> {
  const chain = await openPruned(dataDir);
  const environments = ['log', 'state'].map((name) => openEnvironment(join(dataDir, name), { readOnly: true }));
  const use = (): FileUse[] => environments.map(({ root }) => useOf(root.getStats() as Stats));
  const genesisId = present(chain.ledger.blockIdAt(0), 'every chain has a genesis');
  const blocks = readBlockFile(file, genesisId)[Symbol.asyncIterator]();
  try {
    await importBlocks(chain, blocks);
    const before = use();
    const snapshots = environments.map(({ root }) => root.useReadTransaction());
    await importBlocks(chain, blocks);
    const during = use();
    for (const snapshot of snapshots) snapshot.done();
    await importBlocks(chain, blocks);
    report([before, during, use()], figures);
  } finally {
    for (const environment of environments) await environment.close();
    await chain.ledger.close();
  }
}

function useOf({ lastPageNumber, pageSize, free }: Stats): FileUse {
  return { used: (lastPageNumber + 1) * pageSize, listPages: free.treeLeafPageCount + free.overflowPages };
}

function report(phases: readonly FileUse[][], figures: ScaleFigures): void {
  for (const [at, name] of ['log', 'state'].entries()) {
    const [before, during, after] = phases.map((files) => files[at]) as [FileUse, FileUse, FileUse];
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(
      `   pruning, ${name}: ${megabytes(during.used - before.used)} more in ${PHASE_BLOCKS} blocks with an open ` +
        `snapshot, ${megabytes(after.used - during.used)} more in as many blocks after it; the free list has ` +
        `${before.listPages}, ${during.listPages} and ${after.listPages} pages`,
    );
    figures.note(`pruning, ${name}, growth with a reader`, (during.used - before.used) / 1e6, 'MB');
    figures.note(`pruning, ${name}, growth after the reader`, (after.used - during.used) / 1e6, 'MB');
    figures.note(`pruning, ${name}, free list after the reader`, after.listPages, 'pages');
  }
}

async function importBlocks(chain: Chain, blocks: AsyncIterator<Uint8Array>): Promise<void> {
  for (let count = 0; count < PHASE_BLOCKS; ) {
    const next = await blocks.next();
    if (next.done === true) throw new Error('the generated day has too few blocks');
    const block = decodeBlock(next.value);
    if (block.number <= chain.ledger.position.headNumber) continue;
    chain.importBlock(block);
    await chain.ledger.flush();
    count++;
    // The package `lmdb` keeps a read snapshot until the turn of the event loop ends. The end of the turn lets LMDB
    // reuse the pages of deleted blocks.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function openPruned(dataDir: string): Promise<Chain> {
  const { config } = loadConfig({
    file: join(scaleChain, 'config.conf'),
    flags: parseFlags([]).flags,
    defaults: { 'tronicle.check': 'off' },
  });
  const rules = chainRules(config);
  const log = pino({ level: 'fatal' });
  const options = { ...ledgerOptions(config), logRetention: RETENTION };
  const ledger = await openLedger({ dataDir, genesis: genesisOf(config, rules), ...options, log });
  const { node } = config;
  return new Chain({
    ledger,
    rules,
    machine: createSmartContractMachine((number) => ledger.blockIdAt(number), { now: Date.now }),
    pool: {
      isSorted: node.openTransactionSort,
      timeoutMs: node.pendingTransactionTimeout,
      allowsShielded: node.fullNodeAllowShieldedTransaction,
      now: Date.now,
    },
    internalTransactions: 'none',
  });
}
