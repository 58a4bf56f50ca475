import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom, loadConfig, MAIN_NET_FILE } from '../../../src/config/load-config.js';
import { unusedApiNames } from '../../../src/node/startup/unused-api-names.js';

function unused(release: string, text: string): readonly string[] {
  const file = `tronicle.release = "${release}", storage.db.engine = LEVELDB\n${text}`;
  return unusedApiNames(configFrom(readHoconText(file, 'x.conf'), { file: 'x.conf' }).config);
}

t.test('reports limits and disabled APIs whose name is not an API of the release', async (t) => {
  const limits = (key: string, component: string) =>
    `rate.limiter.${key} = [ { component = "${component}", strategy = QpsRateLimiterAdapter, paramString = "qps=1" } ]`;
  const text = `
    ${limits('http', 'GetNowBlokServlet')}
    ${limits('rpc', 'protocol.Wallet/GetNowBlok')}
    node.disabledApi = [ "GetAcount", "/wallet/getnowblock", "getaccount", "GetNowBlock2" ]`;
  const end = 'which has no effect; the nearest known one is';
  t.same(unused('4.8.2.3', text), [
    `rate.limiter.http has the unknown name "GetNowBlokServlet", ${end} GetNowBlockServlet`,
    `rate.limiter.rpc has the unknown name "protocol.Wallet/GetNowBlok", ${end} protocol.Wallet/GetNowBlock`,
    `node.disabledApi has the unknown name "getacount", ${end} getaccount`,
    `node.disabledApi has the unknown name "/wallet/getnowblock", ${end} getnowblock`,
  ]);
});

t.test('recognises the APIs of all servers of a release', async (t) => {
  const names = ['JsonRpcServlet', 'V1', 'GetAccountOnSolidityServlet', 'GetNowBlockOnPBFTServlet'];
  const limits = names.map(
    (name) => `{ component = ${name}, strategy = QpsRateLimiterAdapter, paramString = "qps=1" }`,
  );
  const rpcs = ['protocol.WalletSolidity/GetAccount', 'protocol.Monitor/GetStatsInfo', 'protocol.Database/GetNowBlock'];
  const ofRpc = rpcs.map(
    (name) => `{ component = "${name}", strategy = QpsRateLimiterAdapter, paramString = "qps=1" }`,
  );
  const text = `rate.limiter { http = [ ${limits.join(', ')} ], rpc = [ ${ofRpc.join(', ')} ] }`;
  for (const release of ['4.7.2', '4.8.2.3']) t.same(unused(release, text), [], release);
  const later = 'node.disabledApi = [ getpaginatednowwitnesslist ]';
  t.same(unused('4.8.2.3', later), []);
  t.match(unused('4.7.2', later), [/unknown name "getpaginatednowwitnesslist"/]);
});

t.test('finds no unused name in the configuration files of this package', async (t) => {
  const folder = join(MAIN_NET_FILE, '..');
  const files = readdirSync(folder).filter((name) => name.endsWith('.conf') && name !== 'devnet.conf');
  t.ok(files.includes('main.conf'));
  for (const name of files) {
    const { config, warnings } = loadConfig({ file: join(folder, name) });
    t.same([...warnings, ...unusedApiNames(config)], [], name);
  }
});
