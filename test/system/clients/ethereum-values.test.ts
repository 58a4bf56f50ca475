import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { type ServedRpc, serveRpc } from '../../support/jsonrpc/served-rpc.js';
import { prepareClients, runClient } from './private-network.js';

// Runs clients that verify the values they read, on a chain recorded from java-tron 4.7.2. Compares the results with
// the table of these values in docs/ethereum-tools.md.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const HEIGHT = 87;
const HEAD = 92;
const clients: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  'go-ethereum': ['geth'],
  'web3.js': [process.execPath, join(root, 'test/system/clients/ethereum/web3js.mjs')],
  ethers: [process.execPath, join(root, 'test/system/clients/ethereum/ethers.mjs')],
  viem: [process.execPath, join(root, 'test/system/clients/ethereum/viem.mjs')],
  'web3.py': ['web3/bin/python', 'test/system/clients/python/web3_values.py'],
};

interface Block {
  readonly hash: string;
  readonly transactions: readonly { readonly hash: string; readonly from: string; readonly value: string }[];
}

/** Returns the expected value of each method. */
async function expectedOf(rpc: ServedRpc, { owner, program }: { owner: string; program: string }) {
  const { get } = rpc;
  const at = `0x${HEIGHT.toString(16)}`;
  const number = async (method: string, ...params: unknown[]): Promise<string> =>
    String(BigInt(await get<string>(method, params)));
  const heights = Array.from({ length: HEAD + 1 }, (_, height) => `0x${height.toString(16)}`);
  const blocks = await Promise.all(heights.map((height) => get<Block>('eth_getBlockByNumber', [height, true])));
  const block = blocks[HEIGHT]!;
  const [first] = block.transactions;
  const transactions = blocks.reduce((sum, one) => sum + one.transactions.length, 0);
  const call = { from: owner, to: program };
  const [signature] = decodeBlock(rpc.chain.ledger.block(HEIGHT)!.block).transactions[0]!.message.signature;
  const [r, s] = [0, 32].map((offset) => BigInt(`0x${toHex(signature!.subarray(offset, offset + 32))}`));
  const logs = (await get<unknown[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])).length;
  const receipts = await Promise.all(
    heights.slice(1).map((height) => get<unknown[]>('eth_getBlockReceipts', [height])),
  );
  const work = await get<unknown[]>('eth_getWork', []);
  const expected: Readonly<Record<string, string>> = {
    net_version: await number('net_version'),
    net_listening: 'false',
    net_peerCount: '0',
    web3_clientVersion: await get('web3_clientVersion', []),
    eth_chainId: await number('eth_chainId'),
    eth_blockNumber: String(HEAD),
    eth_protocolVersion: await number('eth_protocolVersion'),
    eth_syncing: 'false',
    eth_mining: String(await get('eth_mining', [])),
    eth_hashrate: '0',
    eth_accounts: '0',
    eth_coinbase: await get('eth_coinbase', []),
    eth_gasPrice: await number('eth_gasPrice'),
    eth_maxPriorityFeePerGas: '0',
    eth_getWork: String(work.length),
    eth_getBalance: await number('eth_getBalance', owner, at),
    eth_getCode: await get('eth_getCode', [program, at]),
    eth_getStorageAt: await get('eth_getStorageAt', [program, '0x0', at]),
    eth_getTransactionCount: '0',
    eth_getBlockByNumber: `${HEAD + 1} ${transactions}`,
    eth_getBlockByHash: `${HEIGHT} ${block.transactions.length}`,
    eth_getBlockTransactionCountByHash: String(block.transactions.length),
    eth_getBlockTransactionCountByNumber: String(blocks[HEAD]!.transactions.length),
    eth_getBlockReceipts: String(receipts.flat().length),
    eth_getTransactionByHash: `${BigInt(first!.value)} false ${r} ${s}`,
    eth_getTransactionByBlockHashAndIndex: first!.from,
    eth_getTransactionByBlockNumberAndIndex: first!.from,
    eth_getTransactionReceipt: `1 ${HEIGHT} 0`,
    eth_getLogs: String(logs),
    eth_newFilter: 'event',
    eth_newBlockFilter: 'block',
    eth_getFilterChanges: '0',
    eth_getFilterLogs: String(logs),
    eth_uninstallFilter: 'true',
    eth_feeHistory: `${HEAD - 2} 4 3 3`,
    eth_call: await get('eth_call', [call, at]),
    eth_estimateGas: await number('eth_estimateGas', call),
    eth_createAccessList: String(
      (await get<{ accessList: unknown[] }>('eth_createAccessList', [call])).accessList.length,
    ),
    eth_simulateV1: `${HEAD + 1} 1`,
    eth_subscribe: 'true',
  };
  return { expected, hash: block.hash, tx: first!.hash };
}

/** Reads the table in docs/ethereum-tools.md. Returns the cell of each client, by method. */
function documented(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const lines = readFileSync(join(root, 'docs/ethereum-tools.md'), 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('| method | go-ethereum |'));
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...names] = cells(lines[begin] ?? '');
  const rows = lines.slice(begin + 2, lines.indexOf('', begin)).map(cells);
  return new Map(
    rows.map(([method = '', ...row]) => [
      method.replaceAll('`', ''),
      new Map(names.map((name, at) => [name, row[at] ?? ''])),
    ]),
  );
}

/** Values that clients read from a chain, by client and method. */
type Seen = ReadonlyMap<string, Readonly<Record<string, string>>>;

async function runAll(rpc: ServedRpc, methods: readonly string[], request: object): Promise<Seen> {
  const url = `http://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`;
  const tools = join(root, 'node_modules/.cache/tronicle-clients/ethereum');
  const options = { ...request, url, socket: url.replace('http', 'ws'), root: tools, methods };
  const runs = Object.entries(clients).map(async ([name, [client, ...args]]) => {
    return [name, await runClient<Record<string, string>>(client, args, options)] as const;
  });
  return new Map(await Promise.all(runs));
}

const features = { ethereum: true, subscriptions: true };

t.test('passes the checks of clients that verify answers', async (t) => {
  prepareClients();
  const producers: Uint8Array[] = [];
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features, until: HEAD, producers });
  const { raw, transactions } = decodeBlock(rpc.chain.ledger.block(HEIGHT)!.block);
  producers.push(raw.witnessAddress);
  const owner = `0x${transactions[0]!.owner.slice(2)}`;
  const program = await programOf(rpc);
  const { expected, hash, tx } = await expectedOf(rpc, { owner, program });
  t.match(expected['eth_coinbase'], /^0x[0-9a-f]{40}$/);
  t.ok((expected['eth_getCode'] ?? '').length > 2, 'the contract has code');
  const request = { head: HEAD, height: HEIGHT, hash, tx, owner, program };
  const methods = Object.keys(expected);
  const read = await runAll(
    rpc,
    methods.filter((method) => method !== 'eth_subscribe'),
    request,
  );
  let height = HEAD;
  const blocks = setInterval(() => void rpc.pushTo(++height), 500);
  t.teardown(() => clearInterval(blocks));
  const heads = await runAll(rpc, ['eth_subscribe'], request);
  clearInterval(blocks);
  const table = documented();
  t.same([...table.keys()].sort(), methods.sort(), 'the table has every method');
  for (const name of Object.keys(clients)) {
    const seen = { ...read.get(name), ...heads.get(name) };
    for (const [method, value] of Object.entries(seen)) t.equal(value, expected[method], `${name}: ${method}`);
    for (const [method, row] of table)
      t.equal(row.get(name), seen[method] === undefined ? 'none' : 'x', `${method} of ${name}, as documented`);
  }
});

// These recordings have transactions of every type, transactions without a sender or a receiver, and blocks without
// transactions.
for (const recording of ['system-tour', 'stake']) {
  t.test(`verifies every block and receipt of ${recording}`, async (t) => {
    const rpc = await serveRpc(t, recording, { features });
    const head = rpc.chain.ledger.position.headNumber;
    const heights = Array.from({ length: head + 1 }, (_, at) => `0x${at.toString(16)}`);
    let [transactions, receipts] = [0, 0];
    for (const height of heights) {
      transactions += (await rpc.get<Block>('eth_getBlockByNumber', [height, true])).transactions.length;
      if (height !== '0x0') receipts += (await rpc.get<unknown[]>('eth_getBlockReceipts', [height])).length;
    }
    const expected: Readonly<Record<string, string>> = {
      eth_getBlockByNumber: `${head + 1} ${transactions}`,
      eth_getBlockReceipts: String(receipts),
    };
    const zeroAddress = `0x${'00'.repeat(20)}`;
    const request = {
      head,
      height: 0,
      hash: `0x${'00'.repeat(32)}`,
      tx: `0x${'00'.repeat(32)}`,
      owner: zeroAddress,
      program: zeroAddress,
    };
    for (const [name, seen] of await runAll(rpc, Object.keys(expected), request)) {
      t.ok(seen['eth_getBlockByNumber'], `${name} has blocks`);
      for (const [method, value] of Object.entries(seen)) t.equal(value, expected[method], `${name}: ${method}`);
    }
  });
}

/** Returns a contract of the chain that accepts a call without arguments. */
async function programOf({ chain, request: query, get }: ServedRpc): Promise<string> {
  for (let number = 1; number <= HEIGHT; number++) {
    const receipts = await get<readonly { contractAddress: string | null }[]>('eth_getBlockReceipts', [
      `0x${number.toString(16)}`,
    ]);
    for (const { contractAddress } of receipts) {
      if (contractAddress === null) continue;
      const code = await get<string>('eth_getCode', [contractAddress, 'latest']);
      const call = { to: contractAddress };
      if (code !== '0x' && (await query('eth_call', [call, 'latest'])).error === undefined) return contractAddress;
    }
  }
  throw new Error(`no program answers below ${chain.ledger.position.headNumber}`);
}
