import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import secp256k1 from 'secp256k1';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle, startTronicle } from '../../support/tronicle.js';
import { untilServed } from '../../support/until.js';

// Runs the private network of `npm start` on its default ports. It produces a block every 200 ms.

interface Built {
  readonly txID: string;
  readonly raw_data_hex: string;
}

async function post<T>(path: string, body: object, port = 8090): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as T;
}

function start(data: string) {
  const child = startTronicle(['devnet', '--data', data, '--block-time', '200', '--log-level', 'warn']);
  const output = { text: '' };
  child.stdout?.on('data', (chunk) => {
    output.text += chunk;
  });
  child.stderr?.resume();
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, output, ended };
}

const headNumber = async (): Promise<number> =>
  (await post<{ block_header: { raw_data: { number: number } } }>('/wallet/getnowblock', {})).block_header.raw_data
    .number;

t.test('tracks a transfer from creation to the sink over every interface', async (t) => {
  const data = join(temporaryFolder(t), 'devnet');
  const network = start(data);
  t.teardown(() => network.child.kill('SIGKILL'));
  await untilServed('blocks', async () => (await headNumber()) > 3);
  const funded = [...network.output.text.matchAll(/^ {2}(T\w{33}) {2}([0-9a-f]{64})$/gm)];
  t.equal(funded.length, 10, 'funded accounts are printed');
  const [[, from, key], [, to]] = funded as unknown as [string[], string[]];

  const amount = 12_345_678;
  const built = await post<Built>('/wallet/createtransaction', {
    owner_address: from,
    to_address: to,
    amount,
    visible: true,
  });
  const { signature, recid } = secp256k1.ecdsaSign(Buffer.from(built.txID, 'hex'), Buffer.from(key!, 'hex'));
  const signed = Buffer.concat([signature, Buffer.of(27 + recid)]).toString('hex');
  t.match(await post('/wallet/broadcasttransaction', { ...built, signature: [signed] }), {
    result: true,
    txid: built.txID,
  });

  const info = await untilServed('the receipt', async () => {
    const found = await post<{ blockNumber?: number }>('/wallet/gettransactioninfobyid', { value: built.txID });
    return found.blockNumber === undefined ? undefined : (found as { blockNumber: number });
  });
  t.match(await post('/wallet/getaccount', { address: to, visible: true }), {
    balance: 1_000_000_000_000_000 + amount,
  });
  const rpc = await post<{ result: { blockNumber: string; value: string } }>(
    '/jsonrpc',
    { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionByHash', params: [`0x${built.txID}`] },
    8545,
  );
  t.equal(Number(rpc.result.blockNumber), info.blockNumber);
  t.equal(Number(rpc.result.value), amount);
  const followed = await untilServed('the address for browsers', async () => {
    const { addresses } = (await (await fetch('http://127.0.0.1:8080/follow/node.json')).json()) as {
      addresses: readonly string[];
    };
    return addresses[0];
  });
  t.match(followed, /^\/ip4\/127\.0\.0\.1\/tcp\/18890\/ws\/p2p\/12D3KooW/);
  t.equal((await fetch('http://127.0.0.1:8080/follow')).status, 200, 'the page that follows the chain');
  const client = new Client('127.0.0.1:50051', credentials.createInsecure());
  const request = Buffer.from(`0a20${built.txID}`, 'hex');
  const overGrpc = await new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest('/protocol.Wallet/GetTransactionById', Buffer.from, Buffer.from, request, (error, reply) =>
      error === null ? resolve(reply!) : reject(error),
    );
  });
  client.close();
  t.ok(overGrpc.includes(Buffer.from(built.raw_data_hex, 'hex')));

  const sink = join(data, 'solidified.ndjson');
  await untilServed('the sink', async () => existsSync(sink) && readFileSync(sink, 'utf8').includes(built.txID));
  const records = readFileSync(sink, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { key: string });
  t.equal(records.filter((record) => record.key === built.txID).length, 1);

  await untilServed('standard output', async () => network.output.text.includes(`"key":"${built.txID}"`));
  const lines = network.output.text.trim().split('\n');
  const places = lines.findIndex((line) => line.startsWith('Events'));
  const events = lines.slice(places + 1).map((line) => JSON.parse(line) as { topic: string; key: string });
  t.same([...new Set(events.map(({ topic }) => topic))], ['transaction'], 'only events, one per line');
  t.equal(events.filter((event) => event.key === built.txID).length, 1);
  t.ok(existsSync(join(data, 'tronicle.log')), 'the log is a file');

  // An expensive query, which runs in a pool thread.
  const query = '{ blocks(first: 40) { nodes { transactions(first: 40) { id } } } }';
  t.match(await post('/graphql', { query }, 8080), { data: { blocks: { nodes: Array } } });

  const stopped = Date.now();
  network.child.kill('SIGTERM');
  t.equal(await network.ended, 0);
  t.ok(Date.now() - stopped < 10_000, 'the node stops within 10 s after SIGTERM');
  t.notMatch(readFileSync(join(data, 'tronicle.log'), 'utf8'), 'thread terminated', 'each thread closes in time');

  const before = JSON.parse((await runTronicle(['status', '-d', data])).stdout) as { head: number; digest: string };
  const config = join(data, 'devnet.conf');
  const replayed = await runTronicle(['replay', '-c', config, '-d', data]);
  t.equal(
    (JSON.parse(replayed.stdout) as { digest: string }).digest,
    before.digest,
    'a replay computes the same digest',
  );

  const again = start(data);
  t.teardown(() => again.child.kill('SIGKILL'));
  await untilServed('the next start', async () => (await headNumber()) > before.head);
  again.child.kill('SIGTERM');
  t.equal(await again.ended, 0);
  const keys = readFileSync(sink, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { key: string }).key);
  t.equal(new Set(keys).size, keys.length, 'no event twice');
  t.notMatch(again.output.text, built.txID, 'no event twice on standard output');
});
