import t from 'tap';
import {
  createNodeId,
  dropWrongIpv6,
  fromEndpoint,
  hostPortKey,
  isValidEndpoint,
  mappedHost,
  plainHost,
  toEndpoint,
} from '../../../../src/p2p/transport/node-address.js';

const id = createNodeId();
const valid = (ipv4: string | undefined, ipv6?: string, matchesWhole = false) =>
  isValidEndpoint(toEndpoint({ id, ipv4, ipv6, port: 1 }), matchesWhole);

// Reference: NetUtil.validNode, validIpV4, validIpV6.
t.test('requires an id of 64 bytes and valid IPv4 or IPv6 addresses', async (t) => {
  const rows: readonly (readonly [ipv4: string | undefined, ipv6: string | undefined, isValid: boolean])[] = [
    ['1.2.3.4', undefined, true],
    ['255.255.255.255', undefined, true],
    ['256.1.1.1', undefined, false],
    ['0.1.2.3', undefined, false],
    ['01.2.3.4', undefined, false],
    ['1.2.3', undefined, false],
    [undefined, 'fe80::1', true],
    [undefined, '::1.2.3.4', true],
    // Java parses this text as an IPv4 address, so it is not a valid IPv6 address.
    [undefined, '::ffff:1.2.3.4', false],
    ['1.2.3.4', '::ffff:102:304', false],
    [undefined, 'fe80::1%3', true],
    [undefined, 'fe80::1%nowhere', false],
    [undefined, 'nonsense', false],
    ['1.2.3.4', 'nonsense', false],
    [undefined, undefined, false],
  ];
  for (const [ipv4, ipv6, isValid] of rows) t.equal(valid(ipv4, ipv6), isValid, `${ipv4} ${ipv6}`);
  t.notOk(isValidEndpoint(toEndpoint({ id: '00', ipv4: '1.2.3.4', ipv6: undefined, port: 1 })));
  t.notOk(isValidEndpoint(undefined));
  const far = (ipv6: string | undefined): boolean =>
    isValidEndpoint(toEndpoint({ id, ipv4: '1.2.3.4', ipv6, port: 70_000 }));
  t.same([far(undefined), far('fe80::1')], [true, false], 'with an IPv6 address, the port must be in range');
});

// Reference: Node.formatHostV6.
t.test('accepts a reported IPv6 address only in canonical form', async (t) => {
  t.equal(fromEndpoint(toEndpoint({ id, ipv4: undefined, ipv6: '2001:db8::1', port: 1 })).ipv6, '2001:db8:0:0:0:0:0:1');
});

t.test('applies the line end and IPv6 address rules of each release', async (t) => {
  t.same([valid('1.2.3.4\n'), valid('1.2.3.4\n', undefined, true)], [true, false]);
  const endpoint = toEndpoint({ id, ipv4: '1.2.3.4', ipv6: 'nonsense', port: 1 });
  dropWrongIpv6(endpoint);
  t.same(fromEndpoint(endpoint), { id, ipv4: '1.2.3.4', ipv6: undefined, port: 1 });
  const mapped = toEndpoint({ id, ipv4: '1.2.3.4', ipv6: '::ffff:1.2.3.4', port: 1 });
  dropWrongIpv6(mapped);
  t.notOk(isValidEndpoint(mapped, true), 'a mapped IPv4 address is invalid, but not dropped');
});

t.test('normalises an address and removes the system suffix', async (t) => {
  const rows: readonly (readonly [given: string, plain: string])[] = [
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['2001:DB8::', '2001:db8:0:0:0:0:0:0'],
    ['fe80::0204:61ff:fe9d:f156%eth0', 'fe80:0:0:0:204:61ff:fe9d:f156'],
    ['::1.2.3.4', '0:0:0:0:0:0:102:304'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['example.org', 'example.org'],
    ['', ''],
  ];
  for (const [given, plain] of rows) t.equal(plainHost(given), plain, given);
  t.same(['1.2.3.4', '0:0:0:0:0:0:0:1'].map(mappedHost), ['::ffff:1.2.3.4', '0:0:0:0:0:0:0:1']);
  t.equal(hostPortKey({ host: 'a', port: 5 }), 'a|5');
  t.equal(createNodeId().length, 128);
});
