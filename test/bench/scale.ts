import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { BYTE_ORDER } from '../../src/java-data/java-store.js';
import { StoreWriter } from '../../src/java-data/store-writer.js';
import { Account, DelegatedResource } from '../../src/log/codec/generated/messages.js';
import { bootstrap } from '../../src/node/bootstrap/bootstrap.js';
import { exportJava } from '../../src/node/bootstrap/export-java.js';
import { chainRules, genesisOf } from '../../src/node/chain-config.js';
import { parseFlags } from '../../src/node/config/flags.js';
import { loadConfig } from '../../src/node/config/load-config.js';
import { openLedger } from '../../src/projections/open-ledger.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The chain that the sources are of, with its configuration. */
export const scaleChain: string = join(root, 'test', 'golden', 'java-data', 'lite-tour');
/** ms between two looks at the memory of the command. */
const SAMPLE_MS = 100;

/** Where ids of TRC10 tokens begin, and delegations of stake 2.0. */
const TOKEN = Buffer.from('1000001');
const UNLOCKED = Buffer.from([1]);

/** Rows of a store for each account, about as the main net has them, with what is in them. */
const proportions: readonly {
  readonly store: string;
  readonly rowsPerAccount: number;
  /** Of a key that ascends and is otherwise like a hash. */
  readonly keyBytes: number;
  readonly keyOf?: (key: Buffer) => Buffer;
  readonly rowOf: (key: Buffer) => Uint8Array;
}[] = [
  { store: 'account', rowsPerAccount: 1, keyBytes: 21, rowOf: accountRow() },
  {
    store: 'account-asset',
    rowsPerAccount: 0.5,
    keyBytes: 21,
    keyOf: (key) => Buffer.concat([key, TOKEN]),
    rowOf: filledRow(8),
  },
  { store: 'storage-row', rowsPerAccount: 1.6, keyBytes: 32, rowOf: filledRow(32) },
  {
    store: 'DelegatedResource',
    rowsPerAccount: 0.1,
    keyBytes: 42,
    keyOf: (key) => Buffer.concat([UNLOCKED, key]),
    rowOf: delegationRow(),
  },
  { store: 'delegation', rowsPerAccount: 0.5, keyBytes: 21, rowOf: filledRow(8) },
];

/**
 * `npm run bench -- scale [accounts…]`: a data folder of java-tron with that many accounts and what belongs to them is made and taken in
 * by `tronicle bootstrap`: rows/s over the whole command, the most memory of its own (RssAnon), bytes on the disk.
 */
export async function scaleBench(sizes: readonly number[]): Promise<void> {
  for (const accounts of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'tronicle-scale-'));
    try {
      await measure(folder, accounts);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function measure(folder: string, accounts: number): Promise<void> {
  const stores = await makeScaleSource(folder, accounts);
  const dataDir = join(folder, 'data');
  const started = performance.now();
  const { rows, anonBytes, cpuSeconds } = await runBootstrap(stores, dataDir);
  const seconds = (performance.now() - started) / 1000;
  const [theirs, packed, state] = [stores, join(dataDir, 'base'), join(dataDir, 'state')].map(bytesOf);
  console.log(
    `scale ${accounts} accounts: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, ` +
      `${cpuSeconds.toFixed(1)} s of processor, ` +
      `RssAnon at most ${megabytes(anonBytes)}; a row has ${(theirs! / rows).toFixed(0)} bytes in LevelDB, ` +
      `${(state! / rows).toFixed(0)} in the state, ${(packed! / rows).toFixed(0)} packed`,
  );
}

/** A small chain's folder, with the large stores made anew; answers where the stores are. */
export async function makeScaleSource(folder: string, accounts: number): Promise<string> {
  const { config } = loadConfig({ file: join(scaleChain, 'config.conf'), flags: parseFlags([]).flags });
  const genesis = genesisOf(config, chainRules(config));
  const small = join(folder, 'small');
  await bootstrap({
    source: join(scaleChain, 'output-directory.tgz'),
    dataDir: small,
    genesisId: genesis.id,
    history: 'none',
    print: () => {},
  });
  const ledger = await openLedger({
    dataDir: small,
    genesis,
    retention: 'all',
    checkpointVersion: 2,
    log: pino({ level: 'fatal' }),
    readOnly: true,
  });
  const target = join(folder, 'java');
  exportJava(ledger, target, genesis);
  await ledger.close();
  const stores = join(target, 'database');
  for (const { store, rowsPerAccount, keyBytes, keyOf, rowOf } of proportions) {
    writeStore(join(stores, store), Math.round(accounts * rowsPerAccount), keyBytes, (key) => [
      keyOf?.(key) ?? key,
      rowOf(key),
    ]);
  }
  return stores;
}

/** Rows with keys that ascend and are otherwise like hashes. */
function writeStore(
  folder: string,
  rows: number,
  keyBytes: number,
  rowOf: (key: Buffer) => readonly [key: Uint8Array, value: Uint8Array],
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const writer = new StoreWriter(folder, BYTE_ORDER.comparator);
  const step = Math.floor(2 ** 32 / (rows + 1));
  for (let at = 0; at < rows; at++) {
    const key = Buffer.alloc(keyBytes);
    const hash = createHash('md5').update(String(at)).digest();
    for (let from = 0; from < keyBytes; from += hash.length) hash.copy(key, from);
    key[0] = 0x41;
    key.writeUInt32BE(at * step, 1);
    writer.add(...rowOf(key));
  }
  writer.finish();
}

/** An account as most are, with the address of its key. */
function accountRow(): (key: Buffer) => Uint8Array {
  const account = new Account();
  account.balance = 123_456_789n;
  account.createTime = 1_691_107_200_000n;
  account.latestOprationTime = 1_691_207_200_000n;
  account.assetOptimized = true;
  return (key) => {
    account.address = key;
    return Account.encode(account);
  };
}

function delegationRow(): (key: Buffer) => Uint8Array {
  const delegated = new DelegatedResource();
  delegated.frozenBalanceForEnergy = 5_000_000n;
  return (key) => {
    delegated.from = key.subarray(0, 21);
    delegated.to = key.subarray(21);
    return DelegatedResource.encode(delegated);
  };
}

function filledRow(bytes: number): (key: Buffer) => Uint8Array {
  return (key) => {
    const value = Buffer.alloc(bytes);
    for (let from = 0; from < bytes; from += 16) key.copy(value, from, 5);
    return value;
  };
}

async function runBootstrap(
  stores: string,
  dataDir: string,
): Promise<{ rows: number; anonBytes: number; cpuSeconds: number }> {
  const main = join(root, 'dist', 'node', 'main.js');
  const child = spawn(
    process.execPath,
    [main, 'bootstrap', stores, '-c', join(scaleChain, 'config.conf'), '-d', dataDir],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  let anonBytes = 0;
  const timer = setInterval(() => {
    anonBytes = Math.max(anonBytes, anonBytesOf(child.pid));
  }, SAMPLE_MS);
  const before = childSeconds();
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`bootstrap ended with ${code}`);
  const { stores: found } = JSON.parse(out) as { readonly stores: Record<string, { readonly rows: number }> };
  const rows = Object.values(found).reduce((sum, store) => sum + store.rows, 0);
  return { rows, anonBytes, cpuSeconds: childSeconds() - before };
}

/** Processor time of children that have ended: fields cutime and cstime, in ticks of 10 ms. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function anonBytesOf(pid: number | undefined): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, String(name))))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
