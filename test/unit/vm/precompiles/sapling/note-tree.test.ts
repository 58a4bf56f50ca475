import t from 'tap';
import { littleEndian } from '../../../../../src/vm/precompiles/sapling/coordinates.js';
import { insertLeaves } from '../../../../../src/vm/precompiles/sapling/note-tree.js';
import { merkleNode } from '../../../../../src/vm/precompiles/sapling/pedersen-hash.js';

t.test('builds the same tree one leaf at a time or in one batch', async (t) => {
  const leaves = [1, 2, 3, 4].map((n) => littleEndian(BigInt(n * 1000)));
  const frontier = () => Array.from({ length: 33 }, () => new Uint8Array(32));
  const single = frontier();
  let root: Uint8Array | undefined;
  for (const [i, leaf] of leaves.entries()) root = insertLeaves(single, BigInt(i), [leaf]).at(-1);
  const together = frontier();
  insertLeaves(together, 0n, leaves.slice(0, 2));
  t.same(insertLeaves(together, 2n, leaves.slice(2)).at(-1), root);
  let node = merkleNode(1, merkleNode(0, leaves[0]!, leaves[1]!), merkleNode(0, leaves[2]!, leaves[3]!));
  let empty: Uint8Array = littleEndian(1n);
  for (let level = 0; level < 32; level++) {
    if (level >= 2) node = merkleNode(level, node, empty);
    empty = merkleNode(level, empty, empty);
  }
  t.same(node, root);
});
