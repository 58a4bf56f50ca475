import t from 'tap';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../src/config/load-config.js';

const asset =
  'accountName = Zion, accountType = assetissue, address = TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm, balance = "99000000000000000"';
const witness = 'address: THKJYuUmMKKARNf7s2VT51g5uPY6KEqnat, url = "http://GR1.com", voteCount = 100000026';

t.test('reads accounts and witnesses', async (t) => {
  t.same(read(`assets = [{ ${asset} }], witnesses = [{ ${witness} }]`), {
    timestamp: 0,
    parentHash: 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f',
    accounts: [
      {
        name: 'Zion',
        type: 'AssetIssue',
        address: '4171b0af54e0a1182a5e0947d6a64f3b22740ef318',
        balance: 99_000_000_000_000_000n,
      },
    ],
    witnesses: [
      { address: '415095d4f4d26ebc672ca12fc0e3a48d6ce3b169d2', url: 'http://GR1.com', voteCount: 100_000_026n },
    ],
  });
});

const refused: readonly [string, string, string | RegExp][] = [
  ['an account without name', `assets = [{ ${asset.replace('Zion', '" "')} }]`, 'Account name must be not be empty.'],
  [
    'an account type',
    `assets = [{ ${asset.replace('assetissue', 'Foo')} }]`,
    'Account type error: Not a Normal/AssetIssue/Contract',
  ],
  ['an address', `assets = [{ ${asset.replace('TLLM', 'TLLL')} }]`, /^The address\(\) must be 21 bytes\./],
  ['a balance', `assets = [{ ${asset.replace('"99', '"1.5')} }]`, 'Balance(1.5000000000000000) must be a Long type.'],
  [
    'a balance with exponent',
    `assets = [{ ${asset.replace(/"99\d+"/, '1e3')} }]`,
    'Balance(1000.0) must be a Long type.',
  ],
  ['a url', `witnesses = [{ ${witness.replace('http://GR1.com', '')} }]`, 'The url() format error.'],
  ['a timestamp', 'timestamp = "-1"', 'Timestamp(-1) must be a Long type.'],
];
for (const [name, text, message] of refused)
  t.test(`rejects ${name}`, async (t) => {
    t.throws(() => read(text), { code: 'USAGE', message });
  });

t.test('uses separate addresses on a testnet', async (t) => {
  t.throws(() => read(`assets = [{ ${asset} }]`, 'net.type = TestNet'), { message: /^The address\(\)/ });
});

function read(text: string, more = '') {
  const hash = '0xe58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f';
  const whole = `storage {}\n${more}\ngenesis.block { timestamp = "0", parentHash = "${hash}"\n${text} }`;
  return configFrom(readHoconText(whole, 'x.conf'), {}).config.genesis;
}
