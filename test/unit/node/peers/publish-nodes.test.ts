import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../../../src/config/load-config.js';
import { publishNodes } from '../../../../src/node/peers/publish-nodes.js';
import { nodesOfLeaf } from '../../../../src/p2p/dns/tree-entry.js';
import { fakeAlidns } from '../../../support/p2p/dns/fake-alidns.js';
import { ACCESS_KEY_ID, SECRET } from '../../../support/p2p/dns/fake-zone.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const self = { id: '', ipv4: '10.0.0.9', ipv6: undefined, port: 18_888 };

t.test('publishes node.dns.publish at once with staticNodes, and sends no request without it', async (t) => {
  const { endpoint, stored, requests } = await fakeAlidns(t, 'nodes.example.org');
  const file = join(temporaryFolder(t), 'node.conf');
  const written = (lines: string) => {
    writeFileSync(file, `include "${join(process.cwd(), 'config/main.conf')}"\n${lines}\n`);
    return loadConfig({ file }).config;
  };
  const given = { self, discovered: () => [], log: silentLog };
  t.equal(await publishNodes({ ...given, config: written('node.dns.publish = false') }), undefined);
  const keys = `accessKeyId = "${ACCESS_KEY_ID}", accessKeySecret = "${SECRET}", aliyunDnsEndpoint = "${endpoint}"`;
  const tree = `dnsDomain = "nodes.example.org", dnsPrivate = "${'11'.repeat(32)}", serverType = aliyun`;
  const staticNodes = 'staticNodes = ["10.0.0.1:18888", "[fd00::1]:18889"], maxMergeSize = 1';
  const config = written(`node.dns = { publish = true, ${tree}, ${keys}, ${staticNodes} }`);
  t.equal(
    await publishNodes({ ...given, self: { ...self, ipv4: undefined }, config }),
    undefined,
    'this node has no IPv4 address',
  );
  t.same(requests, []);
  const stop = await publishNodes({ ...given, config });
  t.teardown(() => stop?.());
  await until('the root of the published tree', () => [...stored.values()].some(({ RR }) => RR === '@'));
  const leaves = [...stored.values()].filter(({ Value }) => Value.startsWith('nodes:'));
  const nodes = leaves.flatMap(({ Value }) => nodesOfLeaf(Value)).sort((a, b) => a.port - b.port);
  t.match(nodes, [
    { ipv4: '10.0.0.1', ipv6: undefined, port: 18_888 },
    { ipv4: undefined, ipv6: 'fd00:0:0:0:0:0:0:1', port: 18_889 },
  ]);
  t.equal(nodes.length, 2);
});
