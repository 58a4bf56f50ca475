import t from 'tap';
import { parseEndpoint } from '../../../src/config/endpoint.js';

// Reference: NetUtil.parseInetSocketAddress, Integer.parseInt. This node has its own error texts.
const accepted: readonly (readonly [text: string, host: string, port: number])[] = [
  ['[::1]:18888', '::1', 18_888],
  ['[1.2.3.4]:7', '1.2.3.4', 7],
  ['1.2.3.4:0', '1.2.3.4', 0],
  ['1.2.3.4:007', '1.2.3.4', 7],
  ['1.2.3.4:+5', '1.2.3.4', 5],
  ['example.org:65535', 'example.org', 65_535],
  ['010.1.1.08:5', '10.1.1.8', 5],
  ['[]:5', 'localhost', 5],
];
const refused: readonly string[] = [
  ...['::1:18888', '[::1]', '1.2.3.4', '', ':1', '1.2.3.4:', '1.2.3.4:x', '1.2.3.4: 5', '1.2.3.4:5 ', ' 1.2.3.4:1'],
  ...['[::1]:-1', '1.2.3.4:65536', '1.2.3.4:+', '1.2.3.4:++5', '1.2.3.4:1.5'],
];

t.test('parses an IP address with a port, and rejects all other texts', async (t) => {
  for (const [text, host, port] of accepted) t.same(parseEndpoint(text, 'node.active'), { host, port }, text);
  for (const text of refused)
    t.throws(
      () => parseEndpoint(text, 'node.active'),
      { message: `Invalid inetSocketAddress: "${text}", use ipv4:port or [ipv6]:port (node.active)` },
      text,
    );
});
