import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { sha256 } from '../../../src/crypto/hash.js';
import type { LedgerOptions, ReaderOptions } from '../../../src/projections/ledger/ledger.js';
import { openLedger } from '../../../src/projections/ledger/open-ledger.js';
import type { ReaderLedger } from '../../../src/projections/ledger/reader-ledger.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import type { RowChange, StateReader } from '../../../src/projections/state/state-reader.js';
import { type StoreId, storeId } from '../../../src/projections/state/stores.js';

export const silent = pino({ level: 'silent' });

/** Creates a small random number generator (mulberry32). The same seed reproduces a failed test. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  };
}

/** All rows at one height. The key is the store id and the row key (hex) as a sortable text. The value is hex. */
export type Model = ReadonlyMap<string, string>;

export const testStores: readonly StoreId[] = [
  storeId('account'),
  storeId('properties'),
  storeId('market_pair_price_to_order'),
  storeId('account-trace'),
];

export function modelKey(store: StoreId, key: Uint8Array): string {
  return `${store}:${Buffer.from(key).toString('hex')}`;
}

export function randomBytes(random: (below: number) => number, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random(4) * 85);
}

export function randomKey(random: (below: number) => number, store: StoreId): Uint8Array {
  if (store !== storeId('market_pair_price_to_order')) return randomBytes(random, 1 + random(3));
  const key = Buffer.alloc(54);
  key[random(2) * 19] = 0x31;
  const price = random(5);
  key.writeBigInt64BE(price === 0 ? 0n : BigInt(1 + random(4)), 38);
  key.writeBigInt64BE(price === 0 ? 0n : price === 1 ? 2n ** 62n + BigInt(random(3)) : BigInt(1 + random(4)), 46);
  return key;
}

/** Returns random row changes of a model, and the model after these changes. */
export function randomChanges(random: (below: number) => number, model: Model): { changes: RowChange[]; model: Model } {
  const next = new Map(model);
  const changes = new Map<string, RowChange>();
  for (let i = random(12); i > 0; i--) {
    const store = testStores[random(testStores.length)] as StoreId;
    const key = randomKey(random, store);
    const name = modelKey(store, key);
    if (changes.has(name)) continue;
    const old = model.get(name);
    const after = random(3) === 0 ? undefined : randomBytes(random, random(40));
    changes.set(name, { store, key, before: old === undefined ? undefined : Buffer.from(old, 'hex'), after });
    if (after === undefined) next.delete(name);
    else next.set(name, Buffer.from(after).toString('hex'));
  }
  return { changes: [...changes.values()], model: next };
}

export function readModel(reader: StateReader): Model {
  const model = new Map<string, string>();
  for (const store of testStores) {
    for (const { key, value } of reader.range(store))
      model.set(modelKey(store, key), Buffer.from(value).toString('hex'));
  }
  return model;
}

export function blockId(number: number, salt: string): Uint8Array {
  const id = Buffer.from(sha256(Buffer.from(`${number} ${salt}`)));
  id.writeBigUInt64BE(BigInt(number), 0);
  return id;
}

export const genesis = {
  id: blockId(0, 'genesis'),
  blockBytes: Buffer.from('genesis block'),
  rows: [{ store: storeId('properties'), key: Buffer.from('head'), value: Buffer.from([0]) }],
};

export const genesisModel: Model = new Map([[modelKey(storeId('properties'), Buffer.from('head')), '00']]);

export function temporaryFolder(t: { teardown(fn: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'tronicle-ledger-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const DEFAULTS = { genesis, retention: 'unsolidified', checkpointVersion: 1, log: silent, check: false } as const;

export function open(dataDir: string, options: Partial<LedgerOptions> = {}): Promise<WriterLedger> {
  return openLedger({ dataDir, ...DEFAULTS, ...options });
}

export function openReader(dataDir: string, options: Partial<ReaderOptions> = {}): Promise<ReaderLedger> {
  return openLedger({ dataDir, ...DEFAULTS, ...options, readOnly: true });
}
