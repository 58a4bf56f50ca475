import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tryLockFolder } from '../../../src/files/folder-lock.js';
import { addSinks } from '../../../src/node/sinks/serve-sinks.js';
import { TronError } from '../../../src/primitives/errors.js';
import { PeerNode } from '../../support/peers/peer-node.js';
import { until } from '../../support/until.js';

const SINK = 'tronicle.sinks = [{ name = blocks, type = ndjson, path = blocks.ndjson, topics = [block] }]';

t.test('closes all services and the ledger although some of them fail', async (t) => {
  const ends: (() => unknown)[] = [];
  const { node } = await PeerNode.open({ teardown: (end) => ends.push(end) }, { more: SINK });
  // The test closes the node itself, so only the folder is deleted at its end.
  t.teardown(() => ends[0]?.());
  const closed: string[] = [];
  const service = (name: string, error?: Error): void => {
    node.add({
      close: async () => {
        closed.push(name);
        if (error !== undefined) throw error;
      },
    });
  };
  service('first');
  const sinks = addSinks(node);
  service('second', new Error('the second service failed'));
  service('third');
  await until('the sink', () => sinks.statuses.get('blocks')?.state === 'forwarding');
  // A folder in place of the file makes the write of the voted height fail.
  mkdirSync(join(node.dataDir, 'pbft.json'));
  node.voted.raise(1);
  const { ledger } = node.chain;
  const { flush } = ledger;
  ledger.flush = async () => {
    ledger.flush = flush;
    throw new TronError('STORAGE_FULL', 'the disk is full');
  };
  await t.rejects(node.close(), { message: 'the second service failed' });
  t.same(closed, ['third', 'second', 'first']);
  t.equal(sinks.statuses.get('blocks')?.state, 'closed');
  const lock = tryLockFolder(node.dataDir);
  t.not(lock, undefined, 'the data folder is not locked any longer');
  lock?.close();
});
