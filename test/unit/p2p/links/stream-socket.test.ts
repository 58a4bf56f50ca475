import type { Connection, Stream } from '@libp2p/interface';
import t from 'tap';
import { EncryptedLinks } from '../../../../src/p2p/links/encrypted-links.js';
import { StreamSocket } from '../../../../src/p2p/links/stream-socket.js';
import { side } from '../../../support/p2p/side.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

/**
 * Returns a stream and a connection with only the libp2p methods that a link uses. `reset` closes the stream from the
 * remote side.
 */
function fakeStream(): { stream: Stream; connection: Connection; reset: () => void } {
  const stream = Object.assign(new EventTarget(), { pause: () => undefined, resume: () => undefined });
  const connection = { remoteAddr: '/ip4/127.0.0.1/tcp/4001', abort: () => undefined };
  const reset = () =>
    stream.dispatchEvent(Object.assign(new Event('close'), { error: new Error('The stream has been reset') }));
  return { stream: stream as unknown as Stream, connection: connection as unknown as Connection, reset };
}

t.test('closes only the link if its stream ends before it has a listener', async (t) => {
  const { stream, connection, reset } = fakeStream();
  const link = new StreamSocket(stream, connection);
  reset();
  await until('the link is closed', () => link.closed);
  t.equal(link.errored?.message, 'The stream has been reset');
});

t.test('dials again after a link closes while it is passed to the peer layer', async (t) => {
  let dialled = 0;
  const host = {
    addresses: [],
    serve: async () => undefined,
    close: async () => undefined,
    dial: async () => {
      dialled++;
      const { stream, connection, reset } = fakeStream();
      const link = new StreamSocket(stream, connection);
      reset();
      await new Promise((resolve) => link.once('close', resolve));
      return link;
    },
  };
  const { transport } = await side(t, { listenPort: 0 });
  const links = new EncryptedLinks({ host, transport, peers: ['/somewhere'], log: silentLog, redialMs: 5 });
  await links.start();
  t.teardown(() => links.close());
  await until('the node has dialled again', () => dialled > 2);
});
