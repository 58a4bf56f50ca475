import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import t from 'tap';
import { NO_FLAGS, parseFlags } from '../../../src/config/flags.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../src/config/load-config.js';
import { runSolidityNode } from '../../../src/node/solidity/run-solidity-node.js';
import { silent } from '../../support/projections/chain.js';
import { growRecording } from '../../support/replica/recorded-chain.js';
import { positionOf, run, servicePorts, writeConfig } from '../../support/replica/replica-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const RECORDING = 'stake';
const BLOCKS = 120;

function request(client: Client, path: string): Promise<Buffer | readonly [number, string]> {
  return new Promise((resolve) => {
    const done = (error: ServiceError | null, reply = Buffer.alloc(0)): void =>
      resolve(error === null ? reply : [error.code, error.details]);
    client.makeUnaryRequest(`/protocol.${path}`, Buffer.from, Buffer.from, Buffer.alloc(0), done);
  });
}

const get = (port: number, path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);

// Ports, services and paths were recorded from java-tron on 2026-11-26 (`npm run reliability -- solidity-nodes-alike`).
t.test('follows the solidified blocks of the trusted node', async (t) => {
  const [nodeDir, folder, other] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const growing = await growRecording(RECORDING, nodeDir, []);
  await growing.grow(BLOCKS);
  const { solidifiedNumber } = growing.chain;
  t.ok(solidifiedNumber > 0 && solidifiedNumber < growing.chain.ledger.position.headNumber);
  await growing.close();
  const [ports, own] = [await servicePorts(), await servicePorts()];
  const full = run(['-c', writeConfig(other, RECORDING, ports), '-d', nodeDir, '--p2p-disable', 'true']);
  t.teardown(() => full.child.kill('SIGKILL'));
  const more = `node.http { solidityEnable = true, solidityPort = ${own.http}, fullNodePort = 1 }
    node.jsonrpc.httpFullNodeEnable = true`;
  const config = writeConfig(folder, RECORDING, own, more);
  const flags = ['-c', config, '-d', `${folder}/data`, '--solidity', '--trust-node', `127.0.0.1:${ports.grpc}`];
  const alone = run(flags);
  t.teardown(() => alone.child.kill('SIGKILL'));
  const isThere = async (): Promise<boolean> =>
    (await positionOf(`${folder}/data`))?.solidifiedNumber === solidifiedNumber;
  await until('the solidified block', async () => (await isThere()) || undefined);
  t.equal((await positionOf(`${folder}/data`))?.headNumber, solidifiedNumber, 'no block above the solidified block');

  const block = (await (await get(own.http, '/walletsolidity/getnowblock')).json()) as { blockID: string };
  t.same(block, await (await get(ports.http, `/wallet/getblockbynum?num=${solidifiedNumber}`)).json());
  t.match(await (await get(own.http, '/wallet/getnodeinfo')).json(), {
    solidityBlock: `Num:${solidifiedNumber},ID:${block.blockID}`,
    block: `Num:${solidifiedNumber},ID:${block.blockID}`,
    beginSyncNum: solidifiedNumber - 3,
  });
  t.equal((await get(own.http, '/wallet/getnowblock')).status, 404, 'a solidity node has no full node API');
  t.equal((await get(own.http, '/walletsolidity/getenergyprices')).status, 404, 'the path exists only since 4.8.2');
  const bare = await get(own.http, '/walletsolidity/gettransactionbyid?value=xy');
  t.equal(await bare.text(), 'exception decoding Hex string: invalid characters encountered in Hex string\n');

  const client = new Client(`127.0.0.1:${own.grpc}`, credentials.createInsecure());
  t.teardown(() => client.close());
  t.ok(Buffer.isBuffer(await request(client, 'WalletSolidity/GetNowBlock')));
  t.same(await request(client, 'Wallet/GetNowBlock'), [12, 'Method not found: protocol.Wallet/GetNowBlock']);
  t.same(await request(client, 'WalletExtension/GetTransactionsToThis'), [
    12,
    'Method protocol.WalletExtension/GetTransactionsToThis is unimplemented',
  ]);
  alone.child.kill('SIGTERM');
  t.same(await alone.ended, { code: 0, signal: null, stderr: '' });

  full.child.kill('SIGKILL');
  const again = run(flags);
  t.teardown(() => again.child.kill('SIGKILL'));
  const newest = await until('the answer after the restart', async () =>
    (await get(own.http, '/walletsolidity/getnowblock').catch(() => undefined))?.json(),
  );
  t.same(newest, block, 'a restarted node returns its newest block while the trusted node is unreachable');
  again.child.kill('SIGTERM');
  t.equal((await again.ended).code, 0);
});

t.test('requires a trusted node and no witness on a solidity node', async (t) => {
  const file = readHoconText('storage { }\nlocalwitness = []', 'test');
  const { flags } = parseFlags(['--solidity']);
  const { config } = configFrom(file, { flags });
  await t.rejects(runSolidityNode(config, silent), { message: /--trust-node <host:port>/, exitCode: 1 });
  const witness = { ...config.witness, enabled: true };
  const trusting = { ...config, witness, node: { ...config.node, trustNode: 'there:1' } };
  await t.rejects(runSolidityNode(trusting, silent), { code: 'USAGE' });
  t.equal(configFrom(file, { flags: NO_FLAGS }).config.isSolidityNode, false);
});
