import t from 'tap';
import { type LookUp, resolveHosts } from '../../../../src/node/peers/resolve-hosts.js';
import { BackupMembers } from '../../../../src/node/witness/backup-members.js';
import { silentLog } from '../../../support/p2p/silent-log.js';

const names: Readonly<Record<string, string>> = { 'a 4': '10.0.0.1', 'a 6': '::1', 'b 6': '::2' };
const lookUp: LookUp = async (name, family) => {
  const found = names[`${name} ${family}`];
  if (found === undefined) throw new Error('ENOTFOUND');
  return found;
};

t.test('resolves host names in order, IPv4 first, and omits those without an address', async (t) => {
  const nodes = ['b', '10.0.0.9', 'nobody', 'a', '2001:DB8::1'].map((host, at) => ({ host, port: at + 1 }));
  t.same(await resolveHosts(nodes, silentLog, { lookUp }), [
    { host: '0:0:0:0:0:0:0:2', port: 1 },
    { host: '10.0.0.9', port: 2 },
    { host: '10.0.0.1', port: 4 },
    { host: '2001:db8:0:0:0:0:0:1', port: 5 },
  ]);
});

t.test('a slow look-up does not delay those of other hosts', async (t) => {
  const slow: LookUp = (name, family) => (name === 'a' ? new Promise(() => undefined) : lookUp(name, family));
  const nodes = ['a', 'b'].map((host) => ({ host, port: 1 }));
  t.same(await resolveHosts(nodes, silentLog, { lookUp: slow, ms: 20 }), [{ host: '0:0:0:0:0:0:0:2', port: 1 }]);
});

t.test('updates backup members when their host names resolve to new addresses', async (t) => {
  let address: string | undefined = '10.0.0.1';
  const moving: LookUp = async () => {
    if (address === undefined) throw new Error('ENOTFOUND');
    return address;
  };
  const book = new BackupMembers(['member', '10.0.0.7', '10.0.0.8'], '10.0.0.8', moving);
  t.ok(book.hasNames);
  const read = async (): Promise<readonly string[]> => {
    await book.read();
    return book.addresses();
  };
  t.same(await read(), ['10.0.0.1', '10.0.0.7'], 'the address of this node is excluded');
  address = '10.0.0.2';
  t.same(await read(), ['10.0.0.2', '10.0.0.7']);
  address = undefined;
  t.same(await read(), ['10.0.0.2', '10.0.0.7'], 'the last known address is used while the name does not resolve');
  t.notOk(new BackupMembers(['10.0.0.7'], '').hasNames);
});
