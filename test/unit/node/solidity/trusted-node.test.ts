import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { TrustedNode } from '../../../../src/node/solidity/trusted-node.js';

t.test('closes while a request to the trusted node is unanswered', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const node = new TrustedNode(`127.0.0.1:${port}`);
  const connected = once(silent, 'connection');
  const answer = t.rejects(node.solidifiedNumber(), /cancelled/i);
  const [socket] = await connected;
  node.close();
  await answer;
  socket.destroy();
});
