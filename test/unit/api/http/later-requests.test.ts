import t from 'tap';
import type { ApiContext } from '../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../src/api/http/dispatch.js';
import { answerText, type HttpAnswer } from '../../../../src/api/http/http-answer.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { Block, Transaction } from '../../../../src/codec/generated/messages.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const BALANCE = 2n ** 53n + 1n;
const FORM = 'application/x-www-form-urlencoded';

interface LaterRequest {
  readonly release: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
}

/** Sends a request to a full node at block 0, which has one transaction and one account. Returns the response body. */
async function send(request: LaterRequest): Promise<string> {
  return answerText(await answerTo(request)).trim();
}

async function answerTo({ release, path, method = 'GET', body = '', type = '' }: LaterRequest): Promise<HttpAnswer> {
  const state = stateWith({ latest_block_header_timestamp: 0n });
  addAccount(state, 1, BALANCE);
  const genesis = Object.assign(new Block(), { transactions: [new Transaction()] });
  const view = {
    ...{ state, headNumber: 0, pendingTransaction: () => undefined },
    block: (number: number) => (number === 0 ? { block: Block.encode(genesis) } : undefined),
  };
  const api = {
    settings: { release: apiRelease(release), addressPrefix: 0x41, bodyBytesMax: 1000 },
    pending: { count: 3 },
    view: () => view,
  } as unknown as ApiContext;
  const dispatcher = new Dispatcher('fullnode', { api, remembered: new RememberedIds(), startedMs: 0 }, []);
  const request = { method, target: `/wallet/${path}`, type, body: Buffer.from(body) };
  return dispatcher.answer(request);
}

t.test('prints 64-bit integers as strings for a GET that requests it', async (t) => {
  const path = `getaccount?address=${addressOf(1)}`;
  const quoted = `"balance": "${BALANCE}"`;
  const plain = `"balance": ${BALANCE}`;
  const both = { release: '4.8.2', path: `${path}&int64_as_string=true` };
  t.match(await send(both), quoted);
  t.match(await send({ ...both, path }), plain);
  t.match(await send({ ...both, release: '4.7.2' }), plain);
  const post = { ...both, method: 'POST', body: JSON.stringify({ address: addressOf(1), int64_as_string: true }) };
  t.match(await send(post), plain);
  for (const [name, key] of [
    ['getburntrx', 'burnTrxAmount'],
    ['getpendingsize', 'pendingSize'],
    ['gettransactioncountbyblocknum', 'count'],
  ] as const)
    t.match(await send({ release: '4.8.2', path: `${name}?int64_as_string=true&num=0` }), `"${key}": "`, key);
});

t.test('reads a missing number as 0 for the paths that 4.8.2 changed', async (t) => {
  const path = `getcanwithdrawunfreezeamount?owner_address=${addressOf(1)}`;
  t.equal(await send({ release: '4.8.2', path }), '{}');
  t.match(await send({ release: '4.7.2', path }), 'java.lang.NumberFormatException : null');
  // 4.8.2 did not change this handler, so a missing number is an error in both releases.
  t.match(await send({ release: '4.8.2', path: 'gettransactioncountbyblocknum' }), 'java.lang.NumberFormatException');
});

t.test('reads a form as an object with one member per parameter', async (t) => {
  const request = { path: 'getaccount', method: 'POST', body: `address=${addressOf(1)}` };
  t.match(await send({ release: '4.8.2', type: FORM, ...request }), String(BALANCE));
  t.notMatch(await send({ release: '4.7.2', type: FORM, ...request }), String(BALANCE));
  t.notMatch(await send({ release: '4.8.2', type: 'application/json', ...request }), String(BALANCE));
});

t.test('does not treat an empty form as a form', async (t) => {
  const form = { release: '4.7.2', path: 'getReward', method: 'POST', type: FORM };
  t.equal(await send(form), '{"reward": 0}');
  t.match(await send({ ...form, body: 'a=1' }), /"reward"|STREAMED/);
});

t.test('does not read very large or very small numbers as a flag', async (t) => {
  const flagged = (visible: string) =>
    send({ release: '4.7.2', path: 'getaccount', method: 'POST', body: `{"address":"","visible":${visible}}` });
  t.match(await flagged('1e400'), 'java.lang.ArithmeticException : Overflow');
  t.match(await flagged('1e-400'), 'java.lang.ArithmeticException : Rounding necessary');
  t.notMatch(await flagged('1e100'), 'ArithmeticException');
});

t.test('reads owner_address from the query when counting unstakings', async (t) => {
  const requestOf = (name: string, release = '4.8.2') =>
    send({ release, path: `getavailableunfreezecount?${name}=${addressOf(1)}` });
  t.equal(await requestOf('owner_address'), '{"count": 32}');
  t.equal(await requestOf('ownerAddress'), '{"count": 32}');
  t.equal(await requestOf('owner_address', '4.7.2'), '{}');
});

t.test('rejects parameters with invalid UTF-8, but accepts a truncated last character', async (t) => {
  const number = (text: string): Promise<string> => send({ release: '4.7.2', path: `getblockbynum?num=${text}` });
  for (const text of ['%ff', '%c3%28', '%ed%a0%80', '%e2%82x', '%f4%90%80%80', '%c0%80', '1&%80=2'])
    t.match(await number(text), 'BadMessageException : 400: Unable to parse URI query', text);
  for (const text of ['%c3', '%e2%82', '%f0%9f%98'])
    t.match(await number(`1${text}`), 'NumberFormatException : For input string: \\"1\ufffd\\"', text);
  const form = { release: '4.7.2', path: 'getReward', method: 'POST', type: FORM };
  t.match(await send({ ...form, body: 'address=%ff' }), 'Unable to parse form content');
  t.match(await send({ ...form, body: 'address=é' }), 'Illegal character é at 0');
});

t.test('since 4.8.2, reads the query of a GET first, but not the query of a HEAD', async (t) => {
  const wholeAnswer = (method: string, path: string, release = '4.8.2') => answerTo({ release, method, path });
  for (const path of ['createtransaction?a=%ff', 'getburntrx?a=%']) {
    t.same(await wholeAnswer('GET', path), { status: 200 }, path);
    t.match(await wholeAnswer('HEAD', path), { status: 200, type: 'application/json;charset=utf-8' }, path);
    t.match(await wholeAnswer('GET', path, '4.7.2'), { status: 200, type: 'application/json;charset=utf-8' }, path);
  }
});

t.test('reports a malformed query of a GET before a missing method', async (t) => {
  const path = 'exchangeinject?a=%ff';
  t.same(await answerTo({ release: '4.8.2', path }), { status: 200 });
  t.equal((await answerTo({ release: '4.7.2', path })).status, 405);
});
