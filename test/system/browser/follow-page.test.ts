import t from 'tap';
import { serveFollowPage } from '../../../src/api/follow/follow-page.js';
import { FOLLOW_PROTOCOL, Followers } from '../../../src/api/follow/followers.js';
import { serveStatusPage } from '../../../src/api/status-page/status-page.js';
import { createHostKey, openLinkHost } from '../../../src/p2p/links/libp2p-host.js';
import { BrowserPage } from '../../support/graphql/browser.js';
import { serveRecording } from '../../support/graphql/served-chain.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('follows headers and events in a real browser and verifies them', async (t) => {
  const { app, api, chain, pushTo } = await serveRecording(t, 'tvm-forks-14-shanghai', { until: 40 });
  const listen = ['/ip4/127.0.0.1/tcp/0/ws'];
  const host = await openLinkHost({ listen, key: await createHostKey(), connectionsMax: 10 });
  const followers = new Followers({ ledger: chain.ledger, rules: chain.state.rules, api, log: silent });
  t.teardown(async () => {
    await followers.close();
    await host.close();
  });
  await host.serve(FOLLOW_PROTOCOL, (link) => followers.take(link));
  await serveStatusPage(app);
  await serveFollowPage(app, Promise.resolve(host.addresses));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const page = await BrowserPage.open(`${address}/follow`, temporaryFolder(t));
  t.teardown(() => page.close());

  const solid = (): number => chain.ledger.position.solidifiedNumber;
  const shows = (head: number): Promise<void> =>
    page.until(`document.getElementById('state').textContent === 'block ${head}, solidified ${solid()}'`);
  await shows(40);
  const column = (list: string, at: number): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('#${list} tr')].map((row) => row.cells[${at}].textContent)`);
  t.same(
    await column('headers', 0),
    Array.from({ length: 40 }, (_, at) => String(40 - at)),
  );
  t.equal((await column('headers', 1))[0], Buffer.from(chain.ledger.position.headId).toString('hex'));
  t.equal(
    await page.evaluate(`document.querySelectorAll('#headers tr.solid').length`),
    solid(),
    'the page marks the solidified headers',
  );
  await pushTo(60);
  await shows(60);
  await page.until(`document.querySelectorAll('#events tr').length > 0`);
  const numbers = (await column('events', 0)).map(Number);
  t.ok(
    numbers.every((number) => number > 0 && number <= solid()),
    'the page shows events of solidified blocks only',
  );

  const [hostAddress = ''] = host.addresses;
  const otherKey = hostAddress.slice(0, -1) + (hostAddress.endsWith('x') ? 'y' : 'x');
  await page.evaluate(`document.getElementById('address').value = '${otherKey}'`);
  await page.evaluate(`document.getElementById('form').requestSubmit()`);
  await page.until(`document.getElementById('state').dataset.state === 'failed'`);
  t.same(await column('headers', 0), [], 'a node with another key is rejected');
});
