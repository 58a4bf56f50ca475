import { createMPT } from '@ethereumjs/mpt';
import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { rlpText } from '../../../../src/state-transition/account-trie/rlp.js';
import { EMPTY_TRIE_ROOT, Trie } from '../../../../src/state-transition/account-trie/trie.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';

/** Trie rows in memory. */
class Rows extends Map<string, Uint8Array> {
  put(hash: string, node: Uint8Array): void {
    this.set(hash, node);
  }
}

/** Yields keys of 22 bytes, as for accounts, with values of several sizes. Some keys have long common prefixes. */
function* entries(count: number, seed: number): Generator<readonly [key: Uint8Array, value: Uint8Array]> {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let at = 0; at < count; at++) {
    const key = Buffer.alloc(22, 0x95);
    for (let index = next(21) + 1; index < 22; index++) key[index] = next(next(4) === 0 ? 2 : 256);
    yield [key, Buffer.alloc(next(60) + 1, next(255) + 1)];
  }
}

const OLDER = release472.rules;
const NEWER = release482.rules;

t.test("computes Ethereum's roots and stores only nodes of the newest root", async (t) => {
  for (const seed of [1, 7, 4_711]) {
    const rows = new Rows();
    const known = await createMPT({ useNodePruning: true, useRootPersistence: false });
    let root: Uint8Array = EMPTY_TRIE_ROOT;
    t.equal(toHex(root), toHex(known.root()), 'an empty trie');
    let trie = new Trie(rows, root, NEWER);
    let count = 0;
    for (const [key, value] of entries(400, seed)) {
      trie.put(key, value);
      await known.put(key, value);
      if (++count % 20 !== 0) continue;
      root = trie.commit();
      if (toHex(root) !== toHex(known.root())) t.fail(`seed ${seed}, ${count} entries`);
      trie = new Trie(rows, root, NEWER);
    }
    t.equal(toHex(root), toHex(known.root()), `seed ${seed}`);
    t.equal(rows.size, countNodes(rows, toHex(root)), 'every row is reachable from the root');
  }
});

/** A trie of accounts whose addresses differ only in the last byte. Each call of `put` is one block. */
class LastDigits {
  readonly rows = new Rows();
  root: Uint8Array = EMPTY_TRIE_ROOT;
  private readonly rules: { readonly keepsEndedLeaves: boolean };

  constructor(rules: { readonly keepsEndedLeaves: boolean }) {
    this.rules = rules;
  }

  put(...puts: (readonly [last: number, balance: bigint])[]): string {
    const trie = new Trie(this.rows, this.root, this.rules);
    for (const [last, balance] of puts) trie.put(...lastDigit(last, balance));
    this.root = trie.commit();
    return toHex(this.root);
  }
}

function lastDigit(last: number, balance: bigint): [Uint8Array, Uint8Array] {
  const address = fromHex(`41${'00'.repeat(18)}01${last.toString(16)}`);
  return [rlpText(address), Account.encode(Object.assign(new Account(), { address, balance }))];
}

// The expected roots were computed by TrieImpl of java-tron 4.7.2 for the same puts.
t.test(
  'in 4.7.2, the first put of a key that differs in the last digit creates no branch, the second put does',
  async (t) => {
    const trie = new LastDigits(OLDER);
    t.equal(trie.put([0x13, 33n], [0x1d, 0n]), 'd7797aae40f4f7c62b4af82af7a895e32f2e479d743ba08494bcf099de2171a2');
    t.equal(trie.put([0x1d, 0n]), '2f2b85dc8e703136f22cc23658b76588783d54f83db8b268a11c8f2cde8bd08c');
    t.equal(trie.put([0x1d, 5n], [0x13, 34n]), '1a9f49eafd4c178d2931e667a7946536b7c3925064261b18dd4b6344420c626f');
    t.equal(trie.rows.size, countNodes(trie.rows, toHex(trie.root)), 'every row is reachable from the root');
  },
);

// See row E9 of the catalogue of changes in 4.8.2 (test/conformance/rows-of-4.8.2.md).
t.test('in 4.8.2, a second key that differs in the last digit becomes a leaf at once, as in Ethereum', async (t) => {
  const trie = new LastDigits(NEWER);
  const known = await createMPT({ useNodePruning: true, useRootPersistence: false });
  for (const puts of [
    [
      [0x13, 33n],
      [0x1d, 0n],
    ],
    [[0x1d, 0n]],
    [
      [0x1d, 5n],
      [0x13, 34n],
    ],
  ] as const) {
    for (const [last, balance] of puts) await known.put(...lastDigit(last, balance));
    t.equal(trie.put(...puts), toHex(known.root()));
  }
  t.equal(trie.rows.size, countNodes(trie.rows, toHex(trie.root)), 'every row is reachable from the root');
});

t.test('keeps an unknown root while nothing is stored, and fails when a value is stored', async (t) => {
  const unknown = fromHex('ab'.repeat(32));
  const trie = new Trie(new Rows(), unknown, NEWER);
  t.equal(toHex(trie.commit()), 'ab'.repeat(32));
  t.throws(
    () => trie.put(Buffer.alloc(22), Buffer.alloc(1)),
    new Error(`Invalid Trie state, can't resolve hash ${'ab'.repeat(32)}`),
  );
});

/**
 * Returns the number of rows that are reachable from a node, including the node. In a node, a hash is a length byte
 * followed by 32 bytes.
 */
function countNodes(rows: Rows, hash: string): number {
  const text = toHex(rows.get(hash)!);
  let count = 1;
  for (const other of rows.keys()) if (text.includes(`a0${other}`)) count += countNodes(rows, other);
  return count;
}
