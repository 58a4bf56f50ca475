import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Devnet, sendTransaction as send, startDevnet } from '../../support/devnet.js';
import { Subscriber } from '../../support/graphql/subscriber.js';
import { serveRpc } from '../../support/jsonrpc/served-rpc.js';
import { until } from '../../support/until.js';
import { WebSocket } from '../../support/web-socket.js';

const DAY_S = 86_400;

/** Subscribes to new heads with `eth_subscribe`. Stores the hashes of the events. */
class HeadSubscriber {
  readonly socket: WebSocket;
  readonly isOpen: Promise<void>;
  private readonly hashes = new Set<string>();

  constructor(rpcUrl: string) {
    this.socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] };
    this.socket.on('open', () => this.socket.send(JSON.stringify(request)));
    this.isOpen = new Promise((resolve) => {
      this.socket.on('message', (data) => {
        const { id, params } = JSON.parse(String(data)) as { id?: number; params?: { result: { hash: string } } };
        if (id === 1) resolve();
        if (params !== undefined) this.hashes.add(params.result.hash);
      });
    });
  }

  has(hash: string): boolean {
    return this.hashes.has(hash);
  }
}

const height = async (devnet: Devnet): Promise<number> => Number(await devnet.rpc<string>('eth_blockNumber'));
const balance = async (devnet: Devnet, address: string): Promise<number> =>
  (await devnet.post<{ balance: number }>('/wallet/getaccount', { address, visible: true })).balance;
const blockTime = async (devnet: Devnet): Promise<number> =>
  Number((await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp);
/** Returns the keys of the complete records in the file of the sink. Empty if the sink has not created the file yet. */
function sinkKeys({ dataDir }: Devnet): string[] {
  const file = join(dataDir, 'solidified.ndjson');
  if (!existsSync(file)) return [];
  // The last line may be incomplete, because the sink is still writing.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { key: string }).key);
}

t.test('manages snapshots, time and blocks of a private network', async (t) => {
  const devnet = await startDevnet(t);
  const [owner, other] = devnet.accounts.map(({ address }) => address) as [string, string];

  await t.test('restores blocks, balances and time on revert, without streaming reverted blocks', async (t) => {
    const first = await send(devnet, '/wallet/createtransaction', { to_address: other, amount: 1_000_000 });
    await devnet.rpc('evm_mine');
    await until('the event in the file of the sink', () => sinkKeys(devnet).includes(first));
    const before = {
      height: await height(devnet),
      balance: await balance(devnet, other),
      time: await blockTime(devnet),
    };
    const outer = await devnet.rpc<string>('evm_snapshot');
    const undone = await send(devnet, '/wallet/createtransaction', { to_address: other, amount: 2_000_000 });
    t.equal(await balance(devnet, other), before.balance + 2_000_000);
    const inner = await devnet.rpc<string>('evm_snapshot');
    await devnet.rpc('evm_mine', [{ blocks: 30 }]);
    t.ok((await height(devnet)) >= before.height + 31);
    const confirmed = await devnet.rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
    t.ok(Number(confirmed.number) > before.height, 'blocks are solidified while a snapshot is open');
    t.notOk(sinkKeys(devnet).includes(undone), 'the sink receives no event while a snapshot is open');
    t.equal(await devnet.rpc('evm_revert', [outer]), true);
    t.ok((await height(devnet)) <= before.height + 1, 'the node may have produced one block since the revert');
    t.equal(await balance(devnet, other), before.balance);
    t.ok(Math.abs((await blockTime(devnet)) - before.time) <= 6, 'the time is that of the snapshot');
    t.equal(await devnet.rpc('evm_revert', [outer]), false, 'a revert to a snapshot is possible only once');
    t.equal(await devnet.rpc('evm_revert', [inner]), false, 'the revert deleted the later snapshot');
    t.match(await devnet.post('/wallet/gettransactioninfobyid', { value: undone }), {});
    const second = await send(devnet, '/wallet/createtransaction', { to_address: other, amount: 3_000_000 });
    // For subscriptions and sinks, the revert is a reorg. They continue when the new branch is above the old head.
    await devnet.rpc('evm_mine', [{ blocks: 34 }]);
    await until('the event in the file of the sink', () => sinkKeys(devnet).includes(second));
    const keys = sinkKeys(devnet);
    t.notOk(keys.includes(undone));
    t.equal(new Set(keys).size, keys.length, 'each event once');
  });

  await t.test('continues subscriptions below the old head after a revert', async (t) => {
    const port = Number(new URL(devnet.pageUrl).port);
    const blocks = (finality: string): Subscriber =>
      new Subscriber(port, `subscription { blocks(finality: ${finality}) { kind block { number id } } }`);
    const [applied, solid] = [blocks('APPLIED'), blocks('SOLIDIFIED')];
    const heads = new HeadSubscriber(devnet.rpcUrl);
    const wasNotified = (one: Subscriber, id: string): boolean =>
      one.events('blocks').some(({ kind, block }) => kind !== 'REVERTED' && `0x${(block as { id: string }).id}` === id);
    const newest = async (): Promise<{ hash: string; number: string }> =>
      devnet.rpc('eth_getBlockByNumber', ['latest', false]);
    await heads.isOpen;
    // GraphQL does not confirm a subscription, and a subscription without a cursor starts at the newest block.
    await until('both GraphQL subscriptions', async () => {
      await devnet.rpc('evm_mine');
      return [applied, solid].every((one) => one.events('blocks').length > 0);
    });
    await devnet.rpc('evm_mine');
    const before = await newest();
    await until(
      'the block in all three subscriptions',
      () => wasNotified(applied, before.hash) && wasNotified(solid, before.hash) && heads.has(before.hash),
    );
    const snapshot = await devnet.rpc<string>('evm_snapshot');
    await devnet.rpc('evm_mine', [{ blocks: 20 }]);
    const high = await height(devnet);
    await devnet.rpc('evm_revert', [snapshot]);
    await devnet.rpc('evm_mine');
    const after = await newest();
    t.ok(Number(after.number) < high - 10);
    await until(
      'the block in all three subscriptions',
      () => wasNotified(applied, after.hash) && wasNotified(solid, after.hash) && heads.has(after.hash),
    );
    t.ok(applied.events('blocks').some(({ kind }) => kind === 'REVERTED'));
    for (const one of [applied, solid, heads]) one.socket.close();
    // Lets the chain grow above the old head, so that the sinks continue in the next test.
    await devnet.rpc('evm_mine', [{ blocks: 20 }]);
  });

  await t.test('advances fourteen days of unstaking in one call', async (t) => {
    const staked = { frozen_balance: 5_000_000, resource: 'ENERGY' };
    await send(devnet, '/wallet/freezebalancev2', staked);
    await send(devnet, '/wallet/unfreezebalancev2', { unfreeze_balance: 5_000_000, resource: 'ENERGY' });
    const refused = await devnet.post<object>('/wallet/withdrawexpireunfreeze', {
      owner_address: owner,
      visible: true,
    });
    t.match(JSON.stringify(refused), /no unFreeze balance to withdraw/);
    const before = { balance: await balance(devnet, owner), time: await blockTime(devnet) };
    const total = await devnet.rpc<number>('evm_increaseTime', [14 * DAY_S]);
    t.equal(total, 14 * DAY_S);
    await devnet.rpc('evm_mine');
    t.ok((await blockTime(devnet)) >= before.time + 14 * DAY_S);
    await send(devnet, '/wallet/withdrawexpireunfreeze', {});
    t.equal(await balance(devnet, owner), before.balance + 5_000_000);
  });

  await t.test('sets the time of the next block and rejects invalid times', async (t) => {
    const targetMs = (await blockTime(devnet)) + 1_000;
    await devnet.rpc('evm_setNextBlockTimestamp', [targetMs]);
    const number = await height(devnet);
    await devnet.rpc('evm_mine');
    const next = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
      `0x${(number + 1).toString(16)}`,
      false,
    ]);
    t.ok(
      Number(next.timestamp) >= targetMs && Number(next.timestamp) < targetMs + 9,
      'the first slot at or after the requested time',
    );
    await devnet.rpc('evm_mine', [`0x${(targetMs + 600).toString(16)}`]);
    t.ok((await blockTime(devnet)) >= targetMs + 600);
    await t.rejects(devnet.rpc('evm_setNextBlockTimestamp', [1]), {
      message: /invalid time of the next block; use \d+ to \d+, in s since 1970/,
    });
    const tooLate = Math.floor((await blockTime(devnet)) + 11 * 366 * DAY_S);
    await t.rejects(devnet.rpc('evm_mine', [tooLate]), { message: /at most ten years after the head/ });
    await t.rejects(devnet.rpc('evm_mine', [{ block: 3 }]), {
      message: 'the argument of evm_mine has the unknown member "block"; did you mean blocks?',
    });
    await t.rejects(devnet.rpc('evm_increaseTime', [-1]), { message: /invalid number of seconds/ });
    await t.rejects(devnet.rpc('evm_increaseTime', ['99999999999']), { message: /invalid time increase; use 0 to/ });
    await t.rejects(devnet.rpc('evm_mine', [{ blocks: 1001 }]), {
      message: /invalid number of blocks 1001; use 1 to 1000/,
    });
    await t.rejects(devnet.rpc('evm_revert', [{}]), { message: /invalid snapshot/ });
  });

  await t.test('the admin interface controls snapshots, time and blocks too', async (t) => {
    const { snapshot } = await devnet.admin<{ snapshot: number }>('/devnet/snapshot', {});
    const [from, time] = [await height(devnet), await blockTime(devnet)];
    t.ok((await devnet.admin<{ head: number }>('/devnet/mine', { blocks: 5 })).head >= from + 5);
    t.same(await devnet.admin('/devnet/increase-time', { seconds: DAY_S }), { seconds: DAY_S });
    await devnet.admin('/devnet/mine', { blocks: 1 });
    t.ok((await blockTime(devnet)) >= time + DAY_S);
    t.match(await devnet.admin('/devnet/next-block-time', { time: 1 }), { error: /use \d+ to \d+, in s/ });
    t.same(await devnet.admin('/devnet/revert', { snapshot }), { reverted: true });
    t.ok((await height(devnet)) <= from + 1);
    t.match(await devnet.admin('/devnet/mine', { blocks: 'x' }), { error: /must be integer/ });
  });

  await t.test('forwards the blocks above an open snapshot after a restart', async (t) => {
    await devnet.rpc('evm_snapshot');
    const kept = await send(devnet, '/wallet/createtransaction', { to_address: other, amount: 4_000_000 });
    await devnet.rpc('evm_mine', [{ blocks: 2 }]);
    t.notOk(sinkKeys(devnet).includes(kept));
    await devnet.stop();
    const again = await startDevnet(t, { dataDir: devnet.dataDir });
    await again.rpc('evm_mine', [{ blocks: 2 }]);
    await until('the event in the file of the sink', () => sinkKeys(again).includes(kept));
    await again.stop();
  });
});

t.test('other networks have no control methods', async (t) => {
  const rpc = await serveRpc(t, 'tvm-forks-14-shanghai', { features: { ethereum: true }, until: 5 });
  for (const method of ['snapshot', 'revert', 'mine', 'increaseTime', 'setNextBlockTimestamp'])
    t.equal((await rpc.request(`evm_${method}`, [])).error?.message, 'method not found', method);
});
