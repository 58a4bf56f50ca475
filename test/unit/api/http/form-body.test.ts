import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { HttpCall, type HttpServices } from '../../../../src/api/http/http-call.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { cpuGrowth } from '../../../support/cpu-growth.js';

function jsonOf(form: string): string {
  const settings = { release: apiRelease('4.8.2'), bodyBytesMax: 4 * 1024 * 1024 };
  const request = {
    ...{ method: 'POST', query: undefined, body: Buffer.from(form), type: 'application/x-www-form-urlencoded' },
    ...{ readsForms: true, isHead: true, hasBareErrors: false },
  };
  return new HttpCall({ api: { settings } } as unknown as HttpServices, {} as ChainView, request).bodyOrForm();
}

t.test('converts a form to JSON, and repeated parameters to lists', (t) => {
  t.equal(jsonOf('a=1&b=2&a=3&a=4'), '{"a":["1","3","4"],"b":"2"}');
  t.end();
});

t.test('reads a form with many values of one parameter in linear time', (t) => {
  const growth = cpuGrowth((size) => jsonOf('v=1&'.repeat(size)), 10_000);
  t.ok(growth < 10, `four times as many values take ${growth.toFixed(1)} times as long`);
  t.end();
});
