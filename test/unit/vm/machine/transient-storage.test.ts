import t from 'tap';
import { TransientStorage } from '../../../../src/vm/machine/transient-storage.js';
import { addressOf } from '../../../support/vm/state-with.js';

t.test('scopes slots to a contract and reverts those of a failed call', async (t) => {
  const storage = new TransientStorage();
  storage.store(addressOf(1), 5n, 7n);
  t.same(
    [storage.load(addressOf(1), 5n), storage.load(addressOf(2), 5n), storage.load(addressOf(1), 6n)],
    [7n, 0n, 0n],
  );
  const mark = storage.mark();
  storage.store(addressOf(1), 5n, 8n);
  storage.store(addressOf(1), 5n, 9n);
  storage.store(addressOf(2), 1n, 1n);
  storage.revertTo(mark);
  t.same([storage.load(addressOf(1), 5n), storage.load(addressOf(2), 1n)], [7n, 0n]);
});
