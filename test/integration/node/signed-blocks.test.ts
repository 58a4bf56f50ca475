import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import t, { type Test } from 'tap';
import { machineClock } from '../../../src/chain/clock.js';
import { SignedBlocksError } from '../../../src/chain/production/signed-blocks.js';
import { createTravelClock } from '../../../src/chain/travel-clock.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { backupFolder } from '../../../src/node/backup-folder.js';
import { keystore } from '../../../src/node/commands/keystore.js';
import { createNetworkControl } from '../../../src/node/devnet/network-control.js';
import { checkSignedBlocks } from '../../../src/node/doctor/signed-blocks.js';
import { TronicleNode } from '../../../src/node/lifecycle/node.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { TronError } from '../../../src/primitives/errors.js';
import { slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const FOLDER = 'signed-blocks';
const SLOT_MS = 3000;
const GENESIS_MS = 1_700_000_001_000;
const clock = createTravelClock(machineClock);

/** Configuration of a network with one witness. */
const oneWitness = readFileSync(new URL('../../../config/devnet.conf', import.meta.url), 'utf8').replaceAll(
  '{{genesisTime}}',
  String(GENESIS_MS),
);

/** Returns the configuration of a network with five witnesses. One node has all their keys. */
function fiveWitnesses(): string {
  const folder = join(golden, 'stake');
  const keys = Object.values(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Record<string, string>);
  const config = readFileSync(join(folder, 'config.conf'), 'utf8');
  return `${config}\nlocalwitness = [${keys}]\nnode.minParticipationRate = 0\n`;
}

/**
 * Returns functions that open the nodes of a network, copy their folders, and count the rejections SIGNED_BEFORE in
 * their logs. Each node has its own folder.
 */
function network(t: Test, text = oneWitness) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'node.conf');
  writeFileSync(file, text);
  const { config } = loadConfig({ file, flags: { ...NO_FLAGS, witness: true, p2pDisable: true } });
  const lines: string[] = [];
  const write = (line: unknown, _: unknown, done: () => void): void => {
    lines.push(String(line));
    done();
  };
  const log = pino(new Writable({ write }));
  const path = (...names: readonly string[]): string => join(folder, ...names);
  const open = async (name: string) => {
    const node = await TronicleNode.open({ config, dataDir: path(name), log, clock });
    const announced: number[] = [];
    node.announce = (block) => announced.push(block.number);
    return { node, announced };
  };
  const copy = (from: string, to: string): void => cpSync(path(from), path(to), { recursive: true });
  const refusals = (): number => lines.filter((line) => line.includes('"reason":"SIGNED_BEFORE"')).length;
  return { config, open, path, copy, refusals, lines };
}

/** Makes the witnesses produce in the next slots. @returns the number of produced blocks */
async function produce(node: TronicleNode, slots: number): Promise<number> {
  let made = 0;
  for (let slot = 0; slot < slots; slot++) {
    clock.travelTo(Math.max(slotTime(node.chain.state, 1), clock.now() + SLOT_MS));
    if (await node.produceNow()) made++;
  }
  return made;
}

const headOf = ({ chain }: TronicleNode): number => chain.ledger.position.headNumber;
const idAt = ({ chain }: TronicleNode, height: number): string => toHex(chain.storedBlock(height).id);

t.test('continues with the only witness after a crash between record and import of its block', async (t) => {
  const { open, path, copy, refusals, lines } = network(t);
  clock.travelTo(GENESIS_MS);
  const first = await open('data');
  await produce(first.node, 2);
  await first.node.close();
  copy('data', 'crashed');

  const second = await open('data');
  await produce(second.node, 1);
  const signed = idAt(second.node, 3);
  await second.node.close();
  // Simulates a crash: the record of the signed block exists, but the block is not in the log.
  rmSync(path('crashed', FOLDER), { recursive: true });
  copy(join('data', FOLDER), join('crashed', FOLDER));

  const { node, announced } = await open('crashed');
  t.equal(headOf(node), 2);
  t.equal(await produce(node, 2), 2);
  t.equal(idAt(node, 3), signed, 'the block that was signed before the crash');
  t.strictSame(announced, [3, 4, 5]);
  t.equal(refusals(), 0);
  t.ok(lines.some((line) => line.includes('published the block that was signed before the last stop')));
  await node.close();
});

t.test('continues with the signed block of a witness after a storage error', async (t) => {
  const { open, lines } = network(t);
  clock.travelTo(GENESIS_MS);
  const { node, announced } = await open('data');
  const { ledger } = node.chain;
  const flush = ledger.flush.bind(ledger);
  ledger.flush = () => Promise.reject(new TronError('STORAGE_FULL', 'the disk is full'));
  await t.rejects(produce(node, 1), { code: 'STORAGE_FULL' });
  await t.rejects(produce(node, 1), { code: 'STORAGE_FULL' });
  t.strictSame([headOf(node), announced], [1, []], 'one block, which was not announced');
  ledger.flush = flush;
  t.equal(await produce(node, 1), 1);
  t.strictSame(announced, [1, 2]);
  t.ok(lines.some((line) => line.includes('published the block that was signed before the last stop')));
  await node.close();
});

t.test('reports a witness whose record cannot be written, and continues afterwards', async (t) => {
  const { open, path } = network(t);
  clock.travelTo(GENESIS_MS);
  const { node, announced } = await open('data');
  writeFileSync(path('data', FOLDER), '');
  await t.rejects(produce(node, 1), { code: 'STORAGE_FAILED' });
  t.match(node.chain.ledger.storageProblem, /EEXIST/);
  t.strictSame([headOf(node), announced], [0, []]);
  rmSync(path('data', FOLDER));
  t.equal(await produce(node, 1), 1);
  t.equal(node.chain.ledger.storageProblem, undefined);
  await node.close();
});

t.test('signs nothing in an older data folder until it has the newest block of its witness', async (t) => {
  const { open, path, copy, refusals } = network(t);
  clock.travelTo(GENESIS_MS);
  const first = await open('data');
  await produce(first.node, 2);
  await first.node.close();
  copy('data', 'behind');
  copy('data', 'unprotected');

  const second = await open('data');
  await produce(second.node, 3);
  rmSync(path('behind', FOLDER), { recursive: true });
  copy(join('data', FOLDER), join('behind', FOLDER));

  const behind = await open('behind');
  t.equal(await produce(behind.node, 2), 0);
  t.strictSame([headOf(behind.node), refusals()], [2, 2]);
  // Imports blocks as if a peer had sent them. The record of signed blocks contains the newest of them.
  for (const height of [3, 4]) behind.node.chain.importBlock(second.node.chain.storedBlock(height));
  t.equal(await produce(behind.node, 1), 1);
  t.equal(idAt(behind.node, 5), idAt(second.node, 5));
  t.strictSame([headOf(behind.node), behind.announced], [6, [5, 6]]);
  await behind.node.close();
  await second.node.close();

  const unprotected = await open('unprotected');
  t.equal(await produce(unprotected.node, 1), 1, 'a record as old as the folder does not prevent a second signature');
  await unprotected.node.close();
});

t.test('signs no second block of a slot, but the same height in a later slot', async (t) => {
  const { open, refusals } = network(t, fiveWitnesses());
  clock.travelTo(1_691_193_600_000);
  const { node } = await open('data');
  await produce(node, 1);
  const { witness, timeMs } = node.chain.storedHeader(1);
  node.chain.rollback(0);
  clock.travelTo(timeMs);
  t.notOk(await node.produceNow());
  t.equal(refusals(), 1);
  clock.travelTo(timeMs + 4 * SLOT_MS);
  t.equal(await produce(node, 1), 1);
  t.strictSame([headOf(node), node.chain.storedHeader(1).witness], [1, witness]);
  await node.close();
});

t.test('continues after a reorg of its own block, also after a restart', async (t) => {
  const { open, copy, refusals } = network(t, fiveWitnesses());
  clock.travelTo(1_691_193_600_000);
  const own = await open('own');
  const other = await open('other');
  await produce(own.node, 1);
  const orphan = idAt(own.node, 1);
  await produce(other.node, 2);
  for (const height of [1, 2]) own.node.chain.importBlock(other.node.chain.storedBlock(height));
  await own.node.chain.ledger.flush();
  t.strictSame([headOf(own.node), idAt(own.node, 1) === orphan], [2, false]);
  copy('own', 'restarted');
  t.equal(await produce(own.node, 5), 5, 'one block per witness');

  const restarted = await open('restarted');
  t.equal(await produce(restarted.node, 5), 5);
  t.strictSame(restarted.announced, [3, 4, 5, 6, 7], 'the reverted block is not announced');
  t.equal(refusals(), 0);
  for (const { node } of [own, other, restarted]) await node.close();
});

t.test('signs again on a private network after a revert to a snapshot', async (t) => {
  const { open, refusals } = network(t);
  clock.travelTo(GENESIS_MS);
  const { node } = await open('data');
  const control = createNetworkControl(node);
  await control?.({ kind: 'mine', blocks: 2 });
  const id = Number(await control?.({ kind: 'snapshot' }));
  await control?.({ kind: 'increaseTime', ms: 3_600_000 });
  await control?.({ kind: 'mine', blocks: 3 });
  const reverted = idAt(node, 3);
  await control?.({ kind: 'revert', id });
  t.equal(await control?.({ kind: 'mine', blocks: 2 }), 4);
  t.not(idAt(node, 3), reverted);
  await node.close();

  const again = await open('data');
  t.equal(await produce(again.node, 1), 1);
  t.strictSame([headOf(again.node), refusals()], [5, 0]);
  await again.node.close();
});

t.test('neither imports nor announces a block before its record is durable', async (t) => {
  const { open, path } = network(t);
  clock.travelTo(GENESIS_MS);
  const { node } = await open('data');
  const files = (): number => readdirSync(path('data', FOLDER)).length;
  const seen: number[] = [];
  node.chain.listeners.add({ offered: () => seen.push(files()) });
  node.announce = () => seen.push(files());
  await produce(node, 1);
  t.strictSame(seen, [1, 1]);
  await node.close();
});

t.test('exports and imports records, copies them to a backup, and checks them with doctor', async (t) => {
  const { config, open, path } = network(t);
  clock.travelTo(GENESIS_MS);
  const { node } = await open('data');
  await produce(node, 2);
  await node.close();
  const [name] = readdirSync(path('data', FOLDER)) as [string];
  const record = readFileSync(path('data', FOLDER, name), 'utf8');

  await keystore.run(['export-protection', path('protection.json'), '-d', path('data')]);
  const again = ['export-protection', path('protection.json'), '-d', path('data')];
  await t.rejects(keystore.run(again), { message: /protection.json already exists; use another file, or --force/ });
  t.equal(await keystore.run([...again, '--force']), 0);
  await keystore.run(['import-protection', path('protection.json'), '-d', path('imported')]);
  t.equal(readFileSync(path('imported', FOLDER, name), 'utf8'), record);
  const options = { target: path('backup'), bytesPerSecond: undefined, report: () => undefined };
  await backupFolder({ dataDir: path('data'), ...options });
  t.equal(readFileSync(path('backup', FOLDER, name), 'utf8'), record);
  const doctor = () => checkSignedBlocks({ ...config, outputDirectory: path('data') });
  t.match(doctor(), [{ level: 'ok', found: /^signed up to T\w{33} 2$/ }]);

  writeFileSync(path('data', FOLDER, name), record.slice(0, 20));
  await t.rejects(open('data'), SignedBlocksError);
  t.match(doctor(), [{ level: 'bad', found: new RegExp(name) }]);
  writeFileSync(path('data', FOLDER, name), record);
  await (await open('data')).node.close();
});
