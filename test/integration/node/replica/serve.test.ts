import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import secp256k1 from 'secp256k1';
import t from 'tap';
import { Return, Transaction } from '../../../../src/codec/generated/messages.js';
import { readHoconText } from '../../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../../src/config/load-config.js';
import { withSourceFlags } from '../../../../src/config/rows/source-row.js';
import { checkRole } from '../../../../src/node/replica/run-replica.js';
import { growRecording, logSink } from '../../../support/replica/recorded-chain.js';
import { run, servicePorts, untilPosition, writeConfig } from '../../../support/replica/replica-process.js';
import { Broker, KILLED } from '../../../support/streams/broker.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';
import { until } from '../../../support/until.js';

// Runs a node and its replica in separate processes, with the same recorded chain.

const RECORDING = 'stake';
const BLOCKS = 220;
const PROJECTIONS =
  'tronicle.projections = [address-history, token-transfers, internal-transactions, balance-history, stake-history]';

interface Built {
  readonly txID: string;
  readonly raw_data_hex: string;
}

async function post<T>(port: number, path: string, body: object): Promise<T> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as T;
}

/** Returns the lag that a node reports: null if it is not a replica, undefined if it does not answer. */
async function lagOf(port: number) {
  const query = '{ status { replica { lagRecords lagSeconds isConnected } } }';
  type Lag = { readonly lagRecords: string; readonly lagSeconds: number; readonly isConnected: boolean };
  type Reply = { readonly data: { readonly status: { readonly replica: Lag | null } } };
  const reply = await post<Reply>(port, '/graphql', { query }).catch(() => undefined);
  return reply?.data.status.replica;
}

/** Returns all histories of an account. In the answer, `upTo` is the last height that they include. */
function historiesOf(port: number, address: string): Promise<unknown> {
  const page = (name: string, nodes: string): string => `${name}(first: 50) { nodes { ${nodes} } upTo }`;
  const query = `{ account(address: "${address}") { balance
    ${page('transactions', 'id')}
    ${page('transfers', 'blockNumber from to amount')}
    ${page('balanceHistory', 'blockNumber before after')}
    ${page('stakeHistory', 'blockNumber stakedForBandwidth stakedForEnergy unstaking')} } }`;
  return post(port, '/graphql', { query });
}

t.test('answers like its node and forwards transactions', async (t) => {
  const broker = await Broker.start(KILLED);
  t.teardown(() => broker.close());
  const [nodeDir, folder, other] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const growing = await growRecording(RECORDING, nodeDir, [logSink(broker.bootstrap)]);
  await growing.grow(BLOCKS);
  const { seq, headNumber } = growing.chain.ledger.position;
  await growing.close();

  const [ports, replicaPorts] = [await servicePorts(), await servicePorts()];
  const node = run(['-c', writeConfig(other, RECORDING, ports, PROJECTIONS), '-d', nodeDir]);
  t.teardown(() => node.child.kill('SIGKILL'));
  const config = writeConfig(folder, RECORDING, replicaPorts, PROJECTIONS);
  const dataDir = join(folder, 'data');
  const source = ['--source', `kafka://${broker.bootstrap}/tronicle`];
  const follow = ['-c', config, '-d', dataDir, ...source];
  const replica = run([...follow, '--submit', `http://127.0.0.1:${ports.http}`]);
  t.teardown(() => replica.child.kill('SIGKILL'));
  await untilPosition(replica, { what: 'the replica', dataDir, satisfies: (position) => position.seq === seq });
  const served = (port: number) => () => post(port, '/wallet/getnowblock', {}).catch(() => undefined);
  const [theirs, ours] = [await until('the node', served(ports.http)), await until('it', served(replicaPorts.http))];
  t.same(ours, theirs, 'both return the committed head');
  t.equal(await until('its GraphQL', () => lagOf(ports.own)), null, 'the node reports no lag');
  const upToDate = { lagRecords: '0', lagSeconds: 0, isConnected: true };
  const connected = (is: boolean) => async () => {
    const lag = await lagOf(replicaPorts.own);
    return lag?.isConnected === is && lag.lagRecords === '0' ? lag : undefined;
  };
  t.same(await until('the end of the log', connected(true)), upToDate, 'the replica reports its lag');
  broker.crash();
  t.same(await until('the loss of the broker', connected(false)), { ...upToDate, isConnected: false });
  broker.start();
  t.same(await until('the broker', connected(true)), upToDate, 'the replica continues');

  const keys = JSON.parse(readFileSync(join(golden, RECORDING, 'keys.json'), 'utf8')) as Record<string, string>;
  const accounts = Object.keys(keys).slice(0, 8);
  let events = 0;
  for (const address of accounts) {
    const filled = async (port: number): Promise<unknown> =>
      until('histories', async () => {
        const answer = await historiesOf(port, address).catch(() => undefined);
        if (answer === undefined) return undefined;
        if (JSON.stringify(answer).includes('"errors"')) throw new Error(JSON.stringify(answer));
        const heights = [...JSON.stringify(answer).matchAll(/"upTo":"?(\d+)/g)].map(([, height]) => Number(height));
        return heights.length === 4 && heights.every((height) => height === headNumber) ? answer : undefined;
      });
    const [a, b] = [await filled(ports.own), await filled(replicaPorts.own)];
    t.same(b, a, `histories of ${address}`);
    events += JSON.stringify(a).split('blockNumber').length - 1;
    const body = { address, visible: true };
    t.same(
      await post(replicaPorts.http, '/wallet/getaccount', body),
      await post(ports.http, '/wallet/getaccount', body),
    );
  }
  t.ok(events > 20, `${events} entries of histories`);

  const [from, to] = accounts as [string, string];
  const transfer = { owner_address: from, to_address: to, amount: 1, visible: true };
  const built = await post<Built>(replicaPorts.http, '/wallet/createtransaction', transfer);
  const digest = Buffer.from(built.txID, 'hex');
  const { signature, recid } = secp256k1.ecdsaSign(digest, Buffer.from(keys[from]!, 'hex'));
  const signed = { ...built, signature: [Buffer.concat([signature, Buffer.of(27 + recid)]).toString('hex')] };
  const broadcast = (port: number, body: object = signed): Promise<unknown> =>
    post(port, '/wallet/broadcasttransaction', body);
  t.match(await broadcast(replicaPorts.http), { result: true, txid: built.txID });
  t.match(
    await post(ports.http, '/wallet/getpendingsize', {}),
    { pendingSize: 1 },
    'the transaction is pending at the node',
  );
  t.match(
    await post(replicaPorts.http, '/wallet/getpendingsize', {}),
    { pendingSize: 0 },
    'the transaction is not pending at the replica',
  );
  const again = await broadcast(replicaPorts.http);
  t.same(again, await broadcast(ports.http), 'the replica returns the rejection of the node');
  t.match(again, { code: 'DUP_TRANSACTION_ERROR' });
  const forged = { ...signed, signature: [`${'11'.repeat(64)}1b`] };
  t.same(await broadcast(replicaPorts.http, forged), await broadcast(ports.http, forged));
  const raw = Transaction.decode(Buffer.from(`0a${varint(built.raw_data_hex.length / 2)}${built.raw_data_hex}`, 'hex'));
  t.match(
    await grpcBroadcast(replicaPorts.grpc, raw),
    { result: false, code: 1 },
    'a transaction without a signature, over gRPC',
  );

  node.child.kill('SIGTERM');
  t.same(await node.ended, { code: 0, signal: null, stderr: '' });
  t.match(await broadcast(replicaPorts.http), { code: 'NO_CONNECTION' }, 'the node is not running');
  replica.child.kill('SIGTERM');
  t.same(await replica.ended, { code: 0, signal: null, stderr: '' });

  const alone = run(follow);
  t.teardown(() => alone.child.kill('SIGKILL'));
  const answer = await until('the next start', () => broadcast(replicaPorts.http).catch(() => undefined));
  const { code, message } = answer as { code: string; message: string };
  t.equal(code, 'NO_CONNECTION');
  t.match(message, /read replica does not relay transactions/);
  alone.child.kill('SIGTERM');
  t.match(await alone.ended, { code: 0, signal: null });
});

t.test('rejects a configuration without a log or node', async (t) => {
  const flags = (url?: string, submit?: string) => withSourceFlags(undefined, { url, submit });
  t.same(flags('kafka://a:1,b:2/mine', 'http://127.0.0.1:8090'), {
    bootstrap: ['a:1', 'b:2'],
    prefix: 'mine',
    submit: 'http://127.0.0.1:8090',
  });
  t.same(flags('kafka://a:1'), { bootstrap: ['a:1'], prefix: 'tronicle' });
  t.equal(flags(), undefined);
  t.throws(() => flags('http://a:1/b'), { message: /Check --source, must be kafka:/ });
  t.throws(() => flags('kafka://a/b'), { message: /Check --source, must be kafka:/ });
  t.throws(() => flags(undefined, 'http://127.0.0.1:1'), { message: /--submit is only for read replicas/ });
  t.throws(() => flags('kafka://a:1/b', 'nowhere'), { message: /Check --submit, must be an address/ });
  const { config, warnings } = configFrom(
    readHoconText(
      'storage {}, tronicle.source { url = "kafka://a:1/b", submit = "http://n:1", sasl { mechanism = plain, username = u, password = p } }',
      'x.conf',
    ),
    {},
  );
  t.match(config.tronicle.source, { prefix: 'b', submit: 'http://n:1', sasl: { mechanism: 'plain' } });
  t.same(warnings, []);
});

t.test('does not take over a sink of its node and produces no blocks', async (t) => {
  const sink = (prefix: string) =>
    `{ name = s, type = kafka, bootstrap = "a:1", prefix = ${prefix}, topics = [block] }`;
  const text = (prefix: string) => readHoconText(`storage {}, tronicle.sinks = [${sink(prefix)}]`, 'x.conf');
  const source = { bootstrap: ['a:1'], prefix: 'tronicle' };
  const { config } = configFrom(text('mine'), {});
  t.doesNotThrow(() => checkRole(config, source));
  t.throws(() => checkRole(configFrom(text('tronicle'), {}).config, source), {
    message: /would write to the same topics/,
  });
  const witness = { ...config, witness: { ...config.witness, enabled: true } };
  t.throws(() => checkRole(witness, source), { message: /produces no blocks/ });
});

function varint(value: number): string {
  return Buffer.from(value < 128 ? [value] : [(value & 127) | 128, value >> 7]).toString('hex');
}

async function grpcBroadcast(port: number, transaction: Transaction): Promise<Return> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const request = Buffer.from(Transaction.encode(transaction));
  const reply = await new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest(
      '/protocol.Wallet/BroadcastTransaction',
      Buffer.from,
      Buffer.from,
      request,
      (error, value) => (error === null ? resolve(value!) : reject(error)),
    );
  });
  client.close();
  return Return.decode(reply);
}
