import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpackStores } from '../../src/java-tron-data/archive.js';
import { javaStoreIds, storeName } from '../../src/projections/state/stores.js';
import { golden, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const folders = ['rocksdb', 'lite-tour'].map((name) => join(golden, 'java-data', name));
const others = ['block', 'block-index', 'transactionRetStore', 'recent-block', 'recent-transaction', 'tmp'];

/**
 * Damages a file in a copy of the stores. Returns a description, or undefined if the damage does not apply to this kind
 * of file.
 */
type Damage = (file: string, random: () => number, stores: string) => string | undefined;

const damages: readonly Damage[] = [
  (file, random) => {
    const bytes = readFileSync(file);
    if (bytes.length === 0) return undefined;
    const at = Math.floor(random() * bytes.length);
    bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, bytes);
    return `a bit at ${at}`;
  },
  (file, random) => {
    const bytes = readFileSync(file);
    if (bytes.length === 0) return undefined;
    const at = Math.floor(random() * bytes.length);
    for (let place = at; place < Math.min(bytes.length, at + 64); place++) bytes[place] = Math.floor(random() * 256);
    writeFileSync(file, bytes);
    return `bytes at ${at}`;
  },
  (file, random) => {
    const { size } = statSync(file);
    if (size === 0) return undefined;
    const to = Math.floor(random() * size);
    truncateSync(file, to);
    return `cut to ${to} of ${size}`;
  },
  (file) => {
    rmSync(file);
    return 'missing';
  },
  (file, random, stores) => {
    // Replaces the file by a file of the same kind from another store.
    const end = basename(file).replace(/^.*[.-]/, '');
    const same = filesOf(stores).filter((other) => other !== file && other.endsWith(end) && statSync(other).size > 19);
    const other = same[Math.floor(random() * same.length)];
    if (other === undefined || readFileSync(other).equals(readFileSync(file))) return undefined;
    cpSync(other, file);
    return `${other} in its place`;
  },
];

export const damagedSources: Measurement = {
  title: 'detects a damaged java-tron data folder during bootstrap',
  gate: 200,
  night: 2000,
  async run({ count, folder, random }) {
    const intact: { readonly source: string; readonly stores: string; readonly answer: string }[] = [];
    for (const source of folders) {
      const stores = join(folder, basename(source));
      await unpackStores({
        archive: join(source, 'output-directory.tgz'),
        target: stores,
        stores: new Set([...javaStoreIds.map(storeName), ...others]),
        onProgress: () => {},
      });
      const { code, stdout, stderr } = await runBootstrap(stores, source, join(folder, 'whole'));
      assert.equal(code, 0, stderr);
      intact.push({ source, stores, answer: stdout });
    }
    const result = { refused: 0, harmless: 0 };
    for (let attempt = 0; attempt < count; ) {
      const { source, stores, answer } = intact[attempt % intact.length]!;
      const copy = join(folder, 'copy');
      rmSync(copy, { recursive: true, force: true });
      cpSync(stores, copy, { recursive: true });
      const files = filesOf(copy);
      const file = files[Math.floor(random() * files.length)]!;
      const what = damages[Math.floor(random() * damages.length)]!(file, random, copy);
      if (what === undefined) continue;
      attempt++;
      const dataDir = join(folder, 'data');
      const { code, signal, stdout, stderr } = await runBootstrap(copy, source, dataDir);
      assert.equal(signal, null, `${file}, ${what}: ended by ${signal}`);
      if (code === 0) {
        assert.deepEqual(mismatched(answer, stdout), [], `${file}, ${what}: other rows without an error`);
        result.harmless++;
        continue;
      }
      const store = file.slice(copy.length + 1).split('/')[0]!;
      assert.match(stderr, new RegExp(`^${copy}/${store}`, 'm'), `${file}, ${what}: ${stderr}`);
      assert.ok(!existsSync(join(dataDir, 'log')) && !existsSync(join(dataDir, 'bootstrap')), `${what}: files remain`);
      result.refused++;
    }
    return `${result.refused} refused with the file, ${result.harmless} without effect, 0 by signal, 0 silent`;
  },
};

/** Returns the differences between the results of two bootstraps. */
function mismatched(a: string, b: string): string[] {
  const flat = (text: string): Map<string, string> => {
    const { stores, ...rest } = JSON.parse(text) as Record<string, unknown> & { readonly stores: object };
    return new Map(
      [...Object.entries(rest), ...Object.entries(stores)].map(([name, value]) => [name, JSON.stringify(value)]),
    );
  };
  const other = flat(b);
  return [...flat(a)].filter(([name, value]) => other.get(name) !== value).map(([name]) => name);
}

async function runBootstrap(stores: string, source: string, dataDir: string): ReturnType<typeof runTronicle> {
  rmSync(dataDir, { recursive: true, force: true });
  return runTronicle(['bootstrap', stores, '-c', join(source, 'config.conf'), '-d', dataDir]);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
