import t from 'tap';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { startPrivateNetwork } from './private-network.js';

/** Code of a constructor with an endless loop: JUMPDEST PUSH1 0 JUMP. */
const ENDLESS = '5b600056';
const CALLS = 12;
/** Matches the error of a call that ended at its time limit. On a fast machine, the energy may be used up before. */
const ENDED = /(CPU timeout|Not enough energy) for '\w+' operation executing/;

async function post(url: string, body: object): Promise<Record<string, never>> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, never>;
}

t.test('ends endless calls and answers other calls in the meantime', async (t) => {
  const [account] = await startPrivateNetwork(t);
  const owner = toHex(decodeBase58Check(account!.address)!);
  const call = { owner_address: owner, data: ENDLESS };
  const done: string[] = [];
  const note = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const reply = await answer;
    done.push(name);
    return reply;
  };
  const contract = (): Promise<{ result?: { message: string } }> =>
    post('http://127.0.0.1:8090/wallet/triggerconstantcontract', call) as never;
  const costly = Array.from({ length: CALLS }, () => note('costly', contract()));
  const gas = note(
    'costly',
    post('http://127.0.0.1:8545/jsonrpc', {
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_estimateGas' },
      params: [{ from: `0x${owner.slice(2)}`, data: `0x${ENDLESS}` }],
    }) as Promise<{ error?: { message: string } }>,
  );
  const block = await note('cheap', post('http://127.0.0.1:8090/wallet/getnowblock', {}));
  t.ok(block['blockID']);
  for (const answer of await Promise.all(costly)) {
    t.match(Buffer.from(answer.result?.message ?? '', 'hex').toString(), ENDED, JSON.stringify(answer));
  }
  t.match((await gas).error?.message, ENDED);
  t.not(done.at(-1), 'cheap', 'the fast call did not wait for all endless calls');
});
