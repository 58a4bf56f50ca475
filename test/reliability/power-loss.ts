import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { itemAt } from '../../src/primitives/assert.js';
import { golden, runTronicle } from '../support/tronicle.js';
import { DiskAfterPowerLoss } from './power/disk-after-power-loss.js';
import type { FileOperation } from './power/file-operations.js';
import { RECORDED_CALLS, readOperations } from './power/record-operations.js';
import type { Measurement } from './run.js';

const chain = join(golden, 'system-tour');
const blocks = join(chain, 'blocks.ndjson.gz');
const child = fileURLToPath(new URL('./power/importing-child.ts', import.meta.url));

/** Height at which the recorded import ends. The transactions of the chain are below this height. */
const UNTIL = 400;
/** Number of blocks between two flushes, for each recorded import. */
const FLUSHED_BLOCKS = [3, 20, 90] as const;

/**
 * Records the file operations of an import with `strace`. Then builds folders as a power failure at a random
 * operation can leave them, and continues the import in each folder. All acknowledged blocks must be in the folder.
 * The continued import must end with the digest and the sink file of an import without a power failure.
 */
export const powerLoss: Measurement = {
  title: 'opens the data folder after a power failure and loses no acknowledged block',
  gate: 60,
  night: 2000,
  async run({ count, folder, random }) {
    const recordings: (readonly FileOperation[])[] = [];
    for (const flushed of FLUSHED_BLOCKS) recordings.push(await record(folder, flushed));
    const expected = await importTo(join(folder, 'undisturbed'));
    const totals = { states: 0, lost: 0, acknowledged: 0, reimported: 0 };
    for (let round = 0; round < count; round++) {
      const operations = itemAt(recordings, round % recordings.length);
      const until = 1 + Math.floor(random() * operations.length);
      const disk = new DiskAfterPowerLoss(operations.slice(0, until), random);
      const root = join(folder, 'after');
      mkdirSync(root);
      disk.writeTo(root);
      const acknowledged = newestAcknowledged(operations.slice(0, until));
      const where = `round ${round}, power failure at operation ${until} of ${operations.length}`;
      const resumed = await importTo(root, where);
      const { first } = resumed;
      assert.ok(first >= acknowledged, `${where}: block ${acknowledged} was acknowledged, the head is ${first}`);
      assert.equal(resumed.digest, expected.digest, `${where}: another digest`);
      assert.ok(resumed.sink === expected.sink, `${where}: another sink file: ${resumed.stderr}`);
      if (disk.lost > 0) totals.lost++;
      if (acknowledged > 0) totals.acknowledged++;
      totals.reimported += UNTIL - first;
      rmSync(root, { recursive: true });
    }
    // Only a state without some of the writes tests the recovery.
    assert.ok(totals.lost * 2 >= count, `only ${totals.lost} of ${count} states lack a write`);
    const kinds = `${totals.lost} lack writes, ${totals.acknowledged} are after an acknowledged block`;
    return `${count} states: ${kinds}; all opened, 0 acknowledged blocks lost, same digest, same sink file`;
  },
};

/** Records an import that flushes after each `flushed` blocks. */
async function record(folder: string, flushed: number): Promise<readonly FileOperation[]> {
  const root = join(folder, `recorded-${flushed}`);
  mkdirSync(root);
  const trace = `${root}.strace`;
  const acknowledged = `${root}.acknowledged`;
  const config = configIn(root, `${root}.conf`);
  const options = ['-f', '-y', '-qq', '-s', String(2 ** 24), '-o', trace, '-e', `trace=${RECORDED_CALLS.join(',')}`];
  const program = [process.execPath, '--import', 'tsx', child, config, join(root, 'data')];
  await promisify(execFile)('strace', [...options, ...program, String(UNTIL), String(flushed), acknowledged]).catch(
    (error: { code: unknown; stderr: string }) => {
      throw new Error(error.code === 'ENOENT' ? 'this measurement needs strace' : error.stderr);
    },
  );
  const operations = await readOperations({ trace, root, acknowledged });
  rmSync(trace);
  assert.ok(newestAcknowledged(operations) > UNTIL - flushed, 'the recorded import acknowledges its blocks');
  const disk = new DiskAfterPowerLoss([...operations, { kind: 'acknowledge', head: UNTIL }], () => 0.9999, 1);
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  disk.writeTo(copy);
  for (const file of ['log/data.mdb', 'state/data.mdb', 'sink.ndjson']) {
    const isEqual = readFileSync(join(copy, 'data', file)).equals(readFileSync(join(root, 'data', file)));
    assert.ok(isEqual, `the recorded operations do not build the file ${file} of the import`);
  }
  for (const path of [copy, root]) rmSync(path, { recursive: true });
  return operations;
}

function newestAcknowledged(operations: readonly FileOperation[]): number {
  return operations.reduce((head, operation) => (operation.kind === 'acknowledge' ? operation.head : head), 0);
}

interface Imported {
  /** Head before the import. */
  readonly first: number;
  readonly digest: string;
  /** Content of the sink's file. */
  readonly sink: string;
  readonly stderr: string;
}

/** Runs the import up to {@link UNTIL} with the data folder and the sink in a folder. */
async function importTo(root: string, where = 'undisturbed import'): Promise<Imported> {
  mkdirSync(root, { recursive: true });
  const data = join(root, 'data');
  const config = configIn(root, join(root, 'import.conf'));
  const args = ['import', blocks, '-c', config, '-d', data, '--until', String(UNTIL), '--sinks'];
  const ended = await runTronicle(args);
  assert.equal(ended.code, 0, `${where}: the import ended with ${ended.code ?? ended.signal}: ${ended.stderr}`);
  const done = JSON.parse(ended.stdout) as { head: number; blocks: number };
  assert.equal(done.head, UNTIL, `${where}: the import ended at block ${done.head}`);
  const status = await runTronicle(['status', '-d', data]);
  const { digest } = JSON.parse(status.stdout) as { digest: string };
  const sink = readFileSync(join(data, 'sink.ndjson'), 'utf8');
  return { first: done.head - done.blocks, digest, sink, stderr: ended.stderr };
}

/** Writes the configuration of the chain with a sink that writes to a file in the data folder. */
function configIn(root: string, file: string): string {
  const path = join(root, 'data', 'sink.ndjson');
  const sink = `{ name = file, type = ndjson, path = "${path}", topics = [ block ], finality = applied }`;
  const text = readFileSync(join(chain, 'config.conf'), 'utf8').replace(
    /checkpoint\.version = 1/,
    'checkpoint.version = 2',
  );
  writeFileSync(file, `${text}\ntronicle.sinks = [ ${sink} ]\n`);
  return file;
}
