import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { decodeBase58Check, encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { type Devnet, sendTransaction, startDevnet } from '../../support/devnet.js';
import { BrowserPage } from '../../support/graphql/browser.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { demoToken, SYMBOL } from './support/demo-token.js';

/** Folder of screenshots for manual review. Git ignores it. */
const SCREENS = fileURLToPath(new URL('../../../.tap/screens/', import.meta.url));
const DAY_MS = 86_400_000;
const PHONE = 360;

interface Scene {
  readonly devnet: Devnet;
  readonly owner: string;
  readonly other: string;
  /** Address of a token with two decimals. */
  readonly token: string;
  readonly called: string;
}

/** Starts a private network with a transferred token, stake, and a transfer of TRX. */
async function stage(t: Parameters<typeof startDevnet>[0]): Promise<Scene> {
  const devnet = await startDevnet(t);
  const [owner, other] = devnet.accounts.map(({ address }) => address) as [string, string];
  const made = await sendTransaction(devnet, '/wallet/deploycontract', demoToken());
  const { contract_address: token } = await devnet.post<{ contract_address: string }>(
    '/wallet/gettransactioninfobyid',
    { value: made, visible: true },
  );
  await sendTransaction(devnet, '/wallet/freezebalancev2', { frozen_balance: 50_000_000_000, resource: 'ENERGY' });
  await sendTransaction(devnet, '/wallet/freezebalancev2', { frozen_balance: 20_000_000_000, resource: 'BANDWIDTH' });
  const payee = Buffer.from(decodeBase58Check(other)!.subarray(1)).toString('hex');
  const called = await sendTransaction(devnet, '/wallet/triggersmartcontract', {
    contract_address: token,
    function_selector: 'transfer(address,uint256)',
    parameter: [payee, (123_456).toString(16)].map((word) => word.padStart(64, '0')).join(''),
    fee_limit: 1_000_000_000,
    call_value: 0,
  });
  await sendTransaction(devnet, '/wallet/createtransaction', { to_address: other, amount: 12_345_678 });
  return { devnet, owner, other, token, called };
}

t.test('shows the status page of a private network', async (t) => {
  const { devnet, owner, other, token, called } = await stage(t);
  const page = await BrowserPage.open(devnet.pageUrl, temporaryFolder(t));
  t.teardown(() => page.close());
  await page.resize(1280, 900);
  mkdirSync(SCREENS, { recursive: true });
  const keep = async (name: string): Promise<void> =>
    writeFileSync(join(SCREENS, `${name}.png`), await page.screenshot());
  const text = (selector: string): Promise<string> =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  const shows = (selector: string, expected: string): Promise<void> =>
    page.until(`(document.querySelector('${selector}')?.innerText ?? '').includes(${JSON.stringify(expected)})`);
  /** Opens a page. Waits until the previous page is closed, because both may contain the same texts. */
  const go = async (path: string): Promise<void> => {
    await page.evaluate(`window.isLeft = true; location.href = '${path}'`);
    await page.until(`window.isLeft === undefined && document.readyState === 'complete'`);
  };
  const open = async (query: string, expected: string): Promise<void> => {
    await go(`/?q=${encodeURIComponent(query)}`);
    await shows('#result', expected);
  };
  const press = (id: string): Promise<unknown> => page.evaluate(`document.getElementById('${id}').click()`);
  const head = async (): Promise<number> => Number((await text('#head')).replaceAll(',', ''));
  /** Returns the rows of a table under a heading of the result. */
  const rows = (title: string): Promise<string[][]> =>
    page.evaluate(`[...document.querySelectorAll('#result .part')]
      .filter((part) => part.querySelector('h3').textContent.startsWith('${title}'))
      .flatMap((part) => [...part.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText)))`);

  await t.test('shows recent transactions with calls and transfers, and plots of the last blocks', async (t) => {
    await shows(`[data-transaction="${called}"]`, `1,234.56 ${SYMBOL}`);
    t.match(await text(`[data-transaction="${called}"]`), /transfer\(\)/);
    t.match(await text('#transactions'), /12\.345678 TRX/);
    await page.until(`document.querySelectorAll('#plots .plot svg').length === 3`);
    t.match(await text('#plots'), /Energy per block[\s\S]*Bandwidth per block[\s\S]*Stake in the network/);
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('#plots .plot:first-child .bar')].map((bar) => bar.getBoundingClientRect().height)`,
    );
    t.ok(Math.max(...heights) > 50, 'the plot shows the block that created the contract');
    t.match(await text('#plots .plot:last-child output'), /^50K · 20K · /);
    await keep('home');
  });

  await t.test('shows stake, energy, bandwidth, balance history and transfers of an account', async (t) => {
    await open(owner, '1,234.56');
    await page.until(`document.querySelectorAll('#account-plots svg').length === 4`);
    const titles = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#account-plots .plot-title')].map((title) => title.textContent)`,
    );
    t.same(titles, ['Stake, TRX', 'Balance', 'Energy in use', 'Bandwidth in use, bytes']);
    t.match(await text('#account-plots output'), /^50K · 20K · /);
    const [first] = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#account-plots .line.s0')].map((line) => line.getAttribute('d'))`,
    );
    t.ok((first!.match(/V/g) ?? []).length >= 3, 'the plot shows the growing stake');
    const transfers = await rows('Transfers');
    t.same(transfers[0]!.slice(0, 3), ['− 12.345678 TRX', 'TRX', 'this account']);
    t.same(transfers[1]!.slice(0, 3), [`− 1,234.56 ${SYMBOL}`, 'TRC20', 'this account']);
    t.match((await rows('Transactions')).map(([, type]) => type).slice(0, 2), ['Transfer', 'TriggerSmart']);
    await page.evaluate(`document.querySelector('.choice button:last-child').click()`);
    await page.until(`document.querySelector('.choice button:last-child').getAttribute('aria-pressed') === 'true'`);
    await keep('account');
  });

  await t.test('decodes a call and its event by the ABI of the contract', async (t) => {
    await open(called, 'Events: 1');
    t.same(await rows('Call'), [
      ['payee', 'address', other],
      ['cents', 'uint256', '123456'],
    ]);
    t.same(await rows('Events'), [
      ['payer', 'address', owner],
      ['payee', 'address', other],
      ['cents', 'uint256', '123456'],
    ]);
    t.same(
      (await rows('Transfers')).map(([amount]) => amount),
      [`1,234.56 ${SYMBOL}`],
    );
    t.match(await text('#result .details'), /Result\s+success/);
    t.notMatch(await text('#result'), /undefined|\[object|false/);
    await keep('call');
    await open(token, 'Contract DemoDollar');
  });

  await t.test('reports a missing block or transaction in a sentence', async (t) => {
    await open('TJunk', 'Nothing found');
    t.match(await text('#result-body'), '“TJunk” is not a height, an id or an address of this network.');
    await open('ff'.repeat(32), 'Nothing found');
    t.match(await text('#result-body'), /This node has no block, transaction or account ff/);
  });

  await t.test('produces blocks, advances time and sends TRX with buttons', async (t) => {
    await go('/');
    await page.until(`document.getElementById('live').textContent === 'live'`);
    const before = await head();
    await press('mine');
    await shows('#devnet-said', 'Mined block');
    await page.until(`Number(document.getElementById('head').textContent) > ${before}`);
    const time = (): Promise<number> => page.evaluate(`Date.parse(document.querySelector('#head-time time').title)`);
    const then = await time();
    await press('jump');
    await shows('#devnet-said', 'The clock is 14 days ahead.');
    await page.until(`Date.parse(document.querySelector('#head-time time').title) >= ${then + 14 * DAY_MS}`);
    t.ok((await time()) < then + 15 * DAY_MS);

    const poor = encodeBase58Check(Buffer.concat([Buffer.of(0x41), Buffer.alloc(20, 7)]));
    const give = (address: string): Promise<unknown> =>
      page.evaluate(`document.getElementById('faucet-address').value = '${address}';
        document.getElementById('faucet-trx').value = '2500'; document.getElementById('faucet').requestSubmit()`);
    await give('nonsense');
    await shows('#devnet-said', 'Not an address of this network: nonsense.');
    t.equal(await page.evaluate(`document.getElementById('devnet-said').className`), 'bad');
    for (const gift of [1, 2]) {
      await give(poor);
      await page.until(`document.getElementById('devnet-said').className === 'good'`);
      await shows('#devnet-said', '2,500 TRX were sent');
      await devnet.rpc('evm_mine');
      const has = async (): Promise<number | undefined> =>
        (await devnet.post<{ balance?: number }>('/wallet/getaccount', { address: poor, visible: true })).balance;
      await until('the gift', async () => (await has()) === gift * 2_500_000_000);
    }
    t.match(await devnet.admin('/devnet/faucet', { address: poor, trx: 0 }), { error: /1 to 1,000,000 whole TRX/ });
    const { block_header } = await devnet.post<{ block_header: { raw_data: { witness_address: string } } }>(
      '/wallet/getnowblock',
      {},
    );
    const faucet = block_header.raw_data.witness_address;
    t.match(await devnet.admin('/devnet/faucet', { address: faucet }), { error: /^transfer refused: .* yourself/ });
    await keep('after-buttons');

    // A page of the history has twenty items. A button loads the next page.
    for (let more = 0; more < 20; more++) await devnet.admin('/devnet/faucet', { address: poor, trx: 1 });
    await devnet.rpc('evm_mine');
    await open(poor, 'Transfers');
    await page.until(`document.querySelectorAll('#result .part:nth-of-type(2) tbody tr').length === 20`);
    await page.evaluate(`document.querySelector('#result .part:nth-of-type(2) button').click()`);
    await page.until(`document.querySelectorAll('#result .part:nth-of-type(2) tbody tr').length === 22`);
    t.equal((await rows('Transfers')).at(-1)![0], '+ 2,500 TRX', 'the oldest transfer is last');
    await go('/');
    await page.until(`document.getElementById('live')?.textContent === 'live'`);
  });

  await t.test('shows new blocks immediately after a revert, although they are below the old head', async (t) => {
    const snapshot = await devnet.rpc<string>('evm_snapshot');
    await devnet.rpc('evm_mine', [{ blocks: 25 }]);
    const high = Number(await devnet.rpc<string>('eth_blockNumber'));
    await page.until(`Number(document.getElementById('head').textContent) >= ${high}`);
    t.equal(await devnet.rpc('evm_revert', [snapshot]), true);
    await devnet.rpc('evm_mine');
    const low = Number(await devnet.rpc<string>('eth_blockNumber'));
    t.ok(low < high - 15);
    await page.until(
      `Number(document.getElementById('head').textContent) >= ${low} && Number(document.getElementById('head').textContent) < ${high}`,
    );
    const listed = await page.evaluate<number>(`Number(document.querySelector('#blocks td').textContent)`);
    t.ok(listed >= low && listed < high);
  });

  await t.test('fits the width of a phone and has a dark mode', async (t) => {
    await page.resize(PHONE, 740);
    const widestTime = Date.UTC(new Date().getUTCFullYear() + 1, 11, 28, 22, 28) / 1000;
    await devnet.rpc('evm_setNextBlockTimestamp', [widestTime]);
    await devnet.rpc('evm_mine', [{ blocks: 20 }]);
    for (const [name, query, expected] of [
      ['phone-account', owner, '1,234.56'],
      ['phone-call', called, 'Events: 1'],
      ['phone-block', '4', 'State digest'],
    ] as const) {
      await open(query, expected);
      await page.until(`document.getElementById('live').textContent === 'live'`);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE, name);
      const wide = await page.evaluate<string[]>(
        `[...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && !one.closest('svg, .hidden') &&
          one.getBoundingClientRect().right > ${PHONE}).map((one) => one.tagName + '#' + one.id + '.' + one.className)`,
      );
      t.same(wide, [], `${name}: no element is wider than the page`);
      await keep(name);
    }
    t.equal(await page.evaluate(`document.getElementById('mine').checkVisibility()`), true);
    await page.resize(1280, 900);
    const back = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.prefer('light');
    const light = await back();
    await page.prefer('dark');
    const dark = await back();
    const brightness = (color: string): number => Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
    t.ok(brightness(light) > 200 && brightness(dark) < 60, `${light} and ${dark}`);
    await keep('dark-block');
  });
  await page.close();
});
