import { connect, Server } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { NO_FLAGS } from '../../../../../src/config/flags.js';
import { loadConfig } from '../../../../../src/config/load-config.js';
import { tryPorts } from '../../../../../src/node/serving/ports/listen-ports.js';
import { freePort } from '../../../../support/free-port.js';
import { golden } from '../../../../support/tronicle.js';

/** Configuration whose only port is that of the HTTP server. */
function withOnePort(port: number) {
  const { config } = loadConfig({ file: join(golden, 'stake', 'config.conf'), flags: NO_FLAGS });
  const { node, tronicle } = config;
  return {
    ...config,
    p2pDisable: true,
    tronicle: { ...tronicle, http: { ...tronicle.http, enable: false } },
    node: {
      ...node,
      http: { ...node.http, fullNodePort: port, solidityEnable: false, pbftEnable: false },
      rpc: { ...node.rpc, enable: false, solidityEnable: false, pbftEnable: false },
      jsonrpc: { ...node.jsonrpc, httpFullNodeEnable: false, httpSolidityEnable: false, httpPBFTEnable: false },
    },
  };
}

t.test('the check of a port ends if a client connects to the port during the check', async (t) => {
  const port = await freePort();
  const { close } = Server.prototype;
  t.teardown(() => {
    Server.prototype.close = close;
  });
  // Delays the end of the check until a client is connected.
  Server.prototype.close = function (this: Server, done) {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    t.teardown(() => client.destroy());
    this.once('connection', () => close.call(this, done));
    return this;
  };
  t.same(await tryPorts(withOnePort(port)), { count: 1, refused: [] });
});
