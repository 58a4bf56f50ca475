import t from 'tap';
import type { ReplicaStatus } from '../../src/api/graphql/node-progress.js';
import { serveStatusPage } from '../../src/api/status-page/status-page.js';
import { BrowserPage } from '../support/graphql/browser.js';
import { serveRecording } from '../support/graphql/served-chain.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const HEAD = 60;

t.test('shows the status page and GraphiQL in a real browser', async (t) => {
  const sink = { name: 'file', state: 'retrying', seq: 1, records: 1, problem: 'the disk is <full>' } as const;
  let sinks = [{ ...sink, number: 10 }];
  let replica: ReplicaStatus | undefined;
  let storageProblem: string | undefined;
  const { app, query, chain, pushTo } = await serveRecording(t, 'stake', {
    ...{ until: HEAD, projections: ['address-history'], sinks: () => sinks, replica: () => replica },
    storageProblem: () => storageProblem,
  });
  await serveStatusPage(app);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const page = await BrowserPage.open(`${address}/`, temporaryFolder(t));
  t.teardown(() => page.close());
  const shown = (id: string): Promise<string> => page.evaluate(`document.getElementById('${id}').textContent`);
  const follower = (name: string): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('[data-follower="${name}"] td')].map((cell) => cell.textContent)`);
  await page.until(`document.getElementById('live').textContent === 'live'`);
  t.equal(await shown('head'), String(HEAD));
  t.equal(await page.evaluate(`document.getElementById('problem').hidden`), true, 'no problem is shown');
  t.ok(
    (await page.evaluate<number>(`document.querySelectorAll('#blocks tr').length`)) === 20,
    'recent blocks are listed',
  );
  const behind = (number: number): string => String(chain.ledger.position.solidifiedNumber - number);
  t.same(await follower('file'), ['file', 'sink, retrying: the disk is <full>', '10', behind(10)]);
  t.same(await follower('address-history'), ['address-history', 'projection', String(HEAD), '0']);

  await page.evaluate(`window.unchanged = true`);
  sinks = [{ ...sink, number: 25 }];
  await page.until(`document.querySelector('[data-follower="file"]').children[2].textContent === '25'`);
  t.equal((await follower('file'))[3], behind(25), 'the page shows the new position of a sink');
  await pushTo(HEAD + 5);
  await page.until(`document.getElementById('head').textContent === '${HEAD + 5}'`);
  await page.until(
    `document.querySelector('[data-follower="address-history"]').children[2].textContent === '${HEAD + 5}'`,
  );
  t.equal((await follower('file'))[3], behind(25), 'the page shows the new head');
  t.same(await follower('this node'), [], 'a node that is no replica');
  replica = { lagRecords: 1234, lagSeconds: 2.5, isConnected: true };
  await page.until(`document.querySelector('[data-follower="this node"]') !== null`);
  const ours = ['this node', 'read replica: connected', String(HEAD + 5), '1,234 records, 2.5 s'];
  t.same(await follower('this node'), ours, 'a connected replica');
  replica = { lagRecords: 0, lagSeconds: 0, isConnected: false };
  await page.until(`document.querySelector('[data-follower="this node"] .bad') !== null`);
  const lost = 'read replica: cannot read the log of its node';
  t.same(await follower('this node'), ['this node', lost, String(HEAD + 5), '0'], 'a replica without a connection');
  storageProblem = 'the disk is full';
  await page.until(`!document.getElementById('problem').hidden`);
  t.equal(await shown('problem'), 'Blocks cannot be stored: the disk is full');
  storageProblem = undefined;
  await page.until(`document.getElementById('problem').hidden`);
  t.equal(await page.evaluate('window.unchanged'), true, 'the page was not reloaded');
  t.equal(await page.evaluate(`document.getElementById('devnet')`), null, 'no panel for a private network');
  await page.close();

  const { data } = await query('{ blocks(first: 60) { nodes { transactions { owner } } } }');
  const { nodes } = data['blocks'] as { nodes: readonly { transactions: readonly { owner: string }[] }[] };
  const owner = nodes.flatMap(({ transactions }) => transactions)[0]!.owner;
  const account = await BrowserPage.open(`${address}/?q=${owner}`, temporaryFolder(t));
  t.teardown(() => account.close());
  const part = (title: string): string =>
    `[...document.querySelectorAll('#result .part')].find((part) => part.querySelector('h3').textContent === '${title}')`;
  await account.until(`(${part('Transfers')}?.querySelector('.bad') ?? null) !== null`);
  const sentence = 'The index token-transfers is off: add it to tronicle.projections.';
  t.equal(await account.evaluate(`${part('Transfers')}.querySelector('.bad').innerText`), sentence);
  await account.until(`${part('Transactions')}.querySelectorAll('tbody tr').length > 0`);
  await account.until(`document.querySelectorAll('#account-plots .plot').length === 4`);
  await account.close();

  const graphiql = await BrowserPage.open(`${address}/graphiql`, temporaryFolder(t));
  t.teardown(() => graphiql.close());
  await graphiql.until(`document.querySelector('.graphiql-container') !== null`);
  await graphiql.close();
});
