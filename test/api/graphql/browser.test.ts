import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { serveStatusPage } from '../../../src/api/status-page/status-page.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { serveRecording } from './support/served-chain.js';

const HEAD = 60;

/** The document of an address as Chromium has it after its scripts ran for some (virtual) seconds. */
async function documentOf(address: string, profile: string): Promise<string> {
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
  const { stdout } = await promisify(execFile)(
    'chromium',
    [...options, '--virtual-time-budget=8000', '--dump-dom', address],
    { timeout: 90_000, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout;
}

t.test('the status page and GraphiQL in a real browser', { timeout: 240_000 }, async (t) => {
  const { app } = await serveRecording(t, 'stake', { until: HEAD });
  await serveStatusPage(app);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const page = await documentOf(address, temporaryFolder(t));
  const shown = (id: string): string | undefined => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(page)?.[1];
  t.equal(shown('head'), String(HEAD));
  t.equal(shown('live'), 'live', 'the subscription is open');
  t.match(page, /id="problem"[^>]*hidden/, 'nothing to complain about');
  t.ok((page.match(/#block-|\?q=|<tr>/g) ?? []).length > 5, 'recent blocks are listed');

  const graphiql = await documentOf(`${address}/graphiql`, temporaryFolder(t));
  t.match(graphiql, 'graphiql-container', 'the editor runs');
});
