import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Chain } from '../../../src/chain/chain.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { present } from '../../../src/primitives/assert.js';
import { runTronicle } from '../../support/tronicle.js';
import { makeScaleSource, scaleChain } from '../scale/scale-source.js';
import { makeSigners, type Signer } from './day-accounts.js';
import { type DayStart, writeDay } from './day-blocks.js';
import { dayRows } from './day-rows.js';

/** Increment when the generated rows or blocks change. Folders with another version are generated again. */
const VERSION = 1;

/** A state, and blocks that continue it. */
export interface PreparedDay {
  /** Data folder without the blocks. */
  readonly data: string;
  /** Block file. */
  readonly file: string;
  readonly config: string;
}

/**
 * Settings that differ from those of the recorded chain. Past balances are off, because a node stores them only if an
 * operator enables them. The full check is off, because a node runs it only once a day.
 */
const LIKE_MAIN_NET = ['storage.balance.history.lookup = false', 'tronicle.check = off'];

/**
 * Generates a state and a slice of a day in a folder. Does nothing if the folder already has both.
 * @param accounts number of accounts of the state, in addition to 100,000 signers
 */
export async function prepareDay(folder: string, accounts: number, blocks: number): Promise<PreparedDay> {
  const [marker, data, file] = [join(folder, 'day.json'), join(folder, 'data'), join(folder, 'day.tron')];
  const config = join(folder, 'day.conf');
  const prepared = { data, file, config };
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, [readFileSync(join(scaleChain, 'config.conf'), 'utf8'), ...LIKE_MAIN_NET, ''].join('\n'));
  const text = JSON.stringify({ version: VERSION, accounts, blocks });
  if (existsSync(marker) && readFileSync(marker, 'utf8') === text) return prepared;
  rmSync(marker, { force: true });
  const signers = makeSigners();
  await makeState(folder, data, accounts, signers);
  writeDay({ file, blocks, accounts, signers, start: await startOf(data) });
  writeFileSync(marker, text);
  return prepared;
}

async function makeState(folder: string, data: string, accounts: number, signers: readonly Signer[]): Promise<void> {
  const source = join(folder, 'source');
  for (const old of [source, data]) rmSync(old, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  const stores = await makeScaleSource(source, accounts, (headMs) => dayRows(signers, accounts, headMs));
  const { code, stderr } = await runTronicle(['bootstrap', stores, '-c', join(scaleChain, 'config.conf'), '-d', data]);
  if (code !== 0) throw new Error(stderr);
  rmSync(source, { recursive: true });
}

/** Returns the facts from which a generated day continues a data folder. */
export async function startOf(data: string): Promise<DayStart> {
  const { ledger, state } = await openDay(data);
  const { headId, headNumber } = ledger.position;
  const start = {
    genesisId: present(ledger.blockIdAt(0), 'every chain has a genesis'),
    genesisMs: state.rules.genesisTimeMs,
    headId,
    headNumber,
    headMs: state.properties.number('latest_block_header_timestamp'),
    blockVersion: state.rules.release.blockVersion,
  };
  await ledger.close();
  return start;
}

/** Opens a data folder of the chain of a generated day. */
export async function openDay(dataDir: string, file = join(scaleChain, 'config.conf')): Promise<Chain> {
  const { config } = loadConfig({
    file,
    flags: parseFlags([]).flags,
    // The full check of the data would read the folder in the background during a measurement.
    defaults: { 'tronicle.check': 'off' },
  });
  return openChain({ config, dataDir, log: pino({ level: 'fatal' }) });
}
