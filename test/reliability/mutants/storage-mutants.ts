import type { Fault } from '../../support/faulty-copy.js';

const WRITER = 'src/projections/ledger/writer-ledger.ts';

/** Faults of storage. */
export const storageMutants: Readonly<Record<string, readonly Fault[]>> = {
  'kill-while-importing': [
    {
      fault: 'nothing is flushed before the end',
      file: 'src/projections/ledger/writer-ledger.ts',
      find: 'if (this.uncommittedBlocks >= BATCH_BLOCKS_MAX || this.uncommittedBytes() >= BATCH_BYTES_MAX) this.flushNow();',
      replace: '',
    },
  ],
  'interrupted-writes': [
    {
      fault: 'LMDB never flushes',
      file: 'src/log/lmdb/environment.ts',
      find: 'overlappingSync: false,',
      replace: 'overlappingSync: false, noSync: true,',
    },
    {
      fault: 'nothing is flushed before the end',
      file: WRITER,
      find: 'if (this.uncommittedBlocks >= BATCH_BLOCKS_MAX || this.uncommittedBytes() >= BATCH_BYTES_MAX) this.flushNow();',
      replace: '',
    },
    {
      fault: 'the state is committed before the log',
      file: WRITER,
      find: '    this.blocks.commit();\n    this.parts.marker.write',
      replace:
        '    this.totals = this.parts.state.commit(writes, { seq, number, id, digest }, this.totals);\n' +
        '    this.blocks.commit();\n    this.parts.marker.write',
    },
  ],
  'power-loss': [
    {
      fault: 'LMDB never flushes',
      file: 'src/log/lmdb/environment.ts',
      find: 'overlappingSync: false,',
      replace: 'overlappingSync: false, noSync: true,',
    },
    {
      fault: 'the entry of a new file in its folder is not flushed',
      file: 'src/log/lmdb/environment.ts',
      find: '  if (isNew) flushFolders(path, firstNew);',
      replace: '  void [flushFolders, firstNew];',
    },
    {
      fault: 'the position of a sink is stored before the lines are flushed',
      file: 'src/streams/sinks/ndjson/ndjson-sink.ts',
      find: '    fdatasyncSync(file);',
      replace: '    void fdatasyncSync;',
    },
    {
      fault: 'a sink refuses zeros that a power failure left in its file',
      file: 'src/streams/sinks/ndjson/ndjson-sink.ts',
      find: '      if (hasUnwrittenBytes(bytes, flushed === undefined ? at : undefined)) return tail;',
      replace: '      void hasUnwrittenBytes;',
    },
  ],
  'ready-after-kill': [
    {
      fault: 'a start waits until the lock of the killed node expires',
      file: 'src/files/folder-lock.ts',
      find: 'if (status === 0) return lockOf(folder);',
      replace:
        'await new Promise((resolve) => setTimeout(resolve, 15_000));\n  if (status === 0) return lockOf(folder);',
    },
  ],
  'replay-again': [
    {
      fault: 'the stored digest is printed and nothing is executed',
      file: 'src/node/commands/replay.ts',
      find: '  const job = await openReplay({',
      replace:
        "  const { openLedger } = await import('../../projections/ledger/open-ledger.js');\n" +
        "  const open = { dataDir: config.outputDirectory, retention: 'all', checkpointVersion: 2, log, readOnly: true } as const;\n" +
        '  const { digest } = (await openLedger(open)).position;\n' +
        '  output.print({ digest: toHex(digest) });\n' +
        '  process.exit(0);\n' +
        '  const job = await openReplay({',
    },
  ],
  damage: [
    {
      fault: 'the state is not read',
      file: 'src/projections/verify/verify-child.ts',
      find: "logOnly: part === 'log',",
      replace: 'logOnly: true,',
    },
  ],
  'two-processes': [
    {
      fault: 'the lock of the data folder is always granted',
      file: 'src/files/folder-lock.ts',
      find: 'if (status === 0) return lockOf(folder);',
      replace: 'return lockOf(folder);',
    },
  ],
  'stop-while-producing': [
    {
      fault: 'the node ends at once after SIGTERM',
      file: 'src/node/until-stopped.ts',
      find: "process.once('SIGTERM', () => resolve());",
      replace: "process.once('SIGTERM', () => process.exit(0));",
    },
  ],
  history: [
    {
      fault: 'a past state has the changes of the next block',
      file: 'src/projections/ledger/ledger.ts',
      find: 'return this.history.view(height, this.head);',
      replace: 'return this.history.view(height + 1, this.head);',
    },
  ],
  'bootstrap-kills': [
    {
      fault: 'a resumed load starts at the first part',
      file: 'src/projections/checkpoints/load-base.ts',
      find: 'if (parts++ < progress.parts) continue;',
      replace: 'parts++;',
    },
  ],
  'damaged-sources': [
    {
      fault: 'the checksum of a table block is not compared',
      file: 'src/java-tron-data/tables/sorted-table.ts',
      find: 'if (sum !== stored) {',
      replace: 'if (sum !== stored && size < 0) {',
    },
  ],
};
