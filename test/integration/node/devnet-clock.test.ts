import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpcProvider } from 'ethers';
import t from 'tap';
import { TronWeb } from 'tronweb';
import { startDevnet } from '../../support/devnet.js';

const BLOCK_TIME_MS = 200;
/**
 * Run time in ms. If the clock ran 15 times too fast (3,000 ms / 200 ms), the transaction would expire in this time.
 */
const RUN_MS = 5_000;
/** Validity of tronpy's transactions in ms, from the time of the machine. */
const LIFE_MS = 60_000;

t.test('keeps the time of the machine with short block times', async (t) => {
  const devnet = await startDevnet(t, { blockTimeMs: BLOCK_TIME_MS });
  const [sender, receiver] = devnet.accounts;
  const web = new TronWeb({ fullHost: `http://127.0.0.1:${devnet.port(8090)}`, privateKey: sender!.privateKey });
  const provider = new JsonRpcProvider(devnet.rpcUrl, undefined, { pollingInterval: BLOCK_TIME_MS });
  t.teardown(() => provider.destroy());
  const times = new Map<number, number>();
  for (const end = Date.now() + RUN_MS; Date.now() < end; await sleep(BLOCK_TIME_MS)) {
    const { number, timestamp } = (await web.trx.getCurrentBlock()).block_header.raw_data;
    times.set(number, timestamp);
    const ahead = timestamp - Date.now();
    if (ahead > BLOCK_TIME_MS) t.fail(`block ${number} is ${ahead} ms ahead`);
  }
  const [first, last] = [[...times][0]!, [...times].at(-1)!];
  const average = (last[1] - first[1]) / (last[0] - first[0]);
  t.ok(average < 1000 && [...times.values()].every((time) => time % BLOCK_TIME_MS === 0), `${average} ms per block`);

  const built = await web.transactionBuilder.sendTrx(receiver!.address, 1_000_000);
  const now = Date.now();
  const raw = { ...built.raw_data, timestamp: now, expiration: now + LIFE_MS };
  const unsigned = await web.transactionBuilder.newTxID({ ...built, raw_data: raw }, { txLocal: true });
  const sent = await web.trx.sendRawTransaction(await web.trx.sign(unsigned));
  t.match(sent, { result: true });
  const receipt = await provider.waitForTransaction(`0x${unsigned.txID}`, 1);
  t.equal(receipt?.status, 1);
  const block = await provider.getBlock(receipt!.blockNumber);
  t.ok(Math.abs(Date.now() / 1000 - block!.timestamp) < 10, 'ethers reads the time of the machine');
});
