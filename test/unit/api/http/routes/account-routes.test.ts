import t from 'tap';
import type { ApiContext } from '../../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../../src/api/http/dispatch.js';
import { RememberedIds } from '../../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import type { State } from '../../../../../src/state-transition/state/state.js';
import { worldWith } from '../../../../support/vm/vm-world.js';

async function brokerage(release: '4.7.2' | '4.8.2', type: string, body: Uint8Array): Promise<string> {
  const state: State = worldWith([]);
  const api = {
    settings: { release: apiRelease(release), addressPrefix: 0x41, bodyBytesMax: 100 },
    view: () => ({ state }),
  } as unknown as ApiContext;
  const dispatcher = new Dispatcher('fullnode', { api, remembered: new RememberedIds(), startedMs: 0 }, []);
  const request = { method: 'POST', target: '/wallet/getBrokerage', type, body };
  return String((await dispatcher.answer(request)).body);
}

// Reference: Util.getRequestValue. In 4.7.2, the HTTP container reads the body and decodes it by its content type.
t.test('decodes an address from a body as UTF-8 and joins its lines in release 4.8.2', async (t) => {
  const type = 'application/json;charset=iso-8859-1';
  const odd = Buffer.from([0xb8, 0x7b]);
  t.match(await brokerage('4.8.2', type, odd), /code 65533/);
  t.match(await brokerage('4.7.2', type, odd), /¸/);
  const lines = Buffer.from(`{"address":"41${'aa'.repeat(10)}\n${'aa'.repeat(10)}"}`);
  t.equal(await brokerage('4.8.2', 'application/json', lines), '{"brokerage": 20}\n');
  const long = Buffer.from(`{"address":"41${'aa'.repeat(20)}"${' '.repeat(100)}}`);
  t.equal(await brokerage('4.8.2', 'application/json', long), '{"brokerage": 20}\n', 'a body of any length');
});
