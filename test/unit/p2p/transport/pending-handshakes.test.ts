import t from 'tap';
import type { Channel } from '../../../../src/p2p/transport/channel.js';
import { PendingHandshakes } from '../../../../src/p2p/transport/pending-handshakes.js';

const from = (host: string, isTrusted = false): Channel => ({ host, isTrusted }) as unknown as Channel;

t.test('bounds pending handshakes of an address by twenty and closes the oldest', async (t) => {
  const pending = new PendingHandshakes();
  const first = from('10.0.0.1');
  t.equal(pending.add(first), undefined);
  for (let count = 1; count < 20; count++) t.equal(pending.add(from('10.0.0.1')), undefined);
  t.equal(pending.add(from('10.0.0.2')), undefined, 'another address is not affected');
  t.equal(pending.add(from('10.0.0.1')), first);
  pending.delete(first);
  t.not(pending.add(from('10.0.0.1')), first);
});

t.test('bounds all pending handshakes by five hundred and closes the oldest', async (t) => {
  const pending = new PendingHandshakes();
  const first = from('10.0.0.1');
  pending.add(first);
  for (let at = 1; at < 500; at++) t.equal(pending.add(from(`10.1.${at >> 8}.${at & 255}`)), undefined);
  t.equal(pending.add(from('10.2.0.1')), first);
});

t.test('does not count trusted addresses', async (t) => {
  const pending = new PendingHandshakes();
  for (let count = 0; count < 1000; count++) t.equal(pending.add(from('10.0.0.1', true)), undefined);
  t.equal(pending.size, 0);
});

t.test('counts IPv6 addresses by their first 64 bits', async (t) => {
  const pending = new PendingHandshakes();
  const first = from('2001:db8::1');
  pending.add(first);
  for (let at = 1; at < 20; at++) pending.add(from(`2001:db8:0:0:${at}::7`));
  t.equal(pending.add(from('2001:db8:0:1::1')), undefined);
  t.equal(pending.add(from('2001:db8::ffff')), first);
});
