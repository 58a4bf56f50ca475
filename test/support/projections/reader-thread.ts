import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { toHex } from '../../../src/primitives/bytes.js';
import { eachItem } from '../log/each-item.js';
import { openReader } from './chain.js';

/**
 * Follows the log in another thread up to the entry `toSeq`. Then sends the seqs of the entries, the head, the digest,
 * and the counter as the views return it.
 */
if (!isMainThread) {
  const { dataDir, notifier, toSeq } = workerData as { dataDir: string; notifier: SharedArrayBuffer; toSeq: number };
  const ledger = await openReader(dataDir, { notifier });
  const seqs: number[] = [];
  for await (const entry of eachItem(ledger.pages({ fromSeq: 0 }))) {
    seqs.push(entry.seq);
    if (entry.seq >= toSeq) break;
  }
  ledger.refresh();
  const { headNumber, digest } = ledger.position;
  const key = Buffer.from('counter');
  const solidified = ledger.solidified().get(20, key);
  const value = ledger.head.get(20, key);
  parentPort?.postMessage({ seqs, headNumber, digest: toHex(digest), value, solidified });
  await ledger.close();
}
