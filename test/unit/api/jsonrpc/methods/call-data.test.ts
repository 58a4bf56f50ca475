import t from 'tap';
import { agreedCallData, callData } from '../../../../../src/api/jsonrpc/methods/call-data.js';
import { RpcError } from '../../../../../src/api/jsonrpc/rpc-error.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';

const NEW = apiRelease('4.8.2');

function found(
  read: typeof callData,
  given: { data: string | null; input?: string | null },
  release = NEW,
): string | null {
  try {
    return read(given, release);
  } catch (error) {
    if (error instanceof RpcError) return `${error.number} ${error.text}`;
    throw error;
  }
}

t.test('prefers input over data and requires the correct encoding', async (t) => {
  t.equal(found(callData, { data: '0x01', input: '0x02' }), '0x02');
  t.equal(found(callData, { data: '1', input: null }), '1');
  t.equal(found(callData, { data: '0x01', input: '' }), '');
  for (const input of ['02', '0x2', '0xzz']) {
    t.equal(found(callData, { data: null, input }), '-32602 invalid hex string for "input"', input);
  }
  t.equal(found(callData, { data: 'zz', input: '0x02' }), '-32602 invalid hex string for "data"');
  t.equal(found(callData, { data: 'zz' }, apiRelease('4.7.2')), 'zz', 'decoded later in release 4.7.2');
});

t.test('rejects a transaction with two different data fields', async (t) => {
  t.equal(found(agreedCallData, { data: '0xAB', input: '0xab' }), '0xab');
  t.match(
    found(agreedCallData, { data: '0xab', input: '0xac' }),
    /^-32602 both "data" and "input" are set and not equal/,
  );
});
