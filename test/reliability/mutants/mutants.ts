/** One fault in a copy of the product. The measurement must fail with it. */
export interface Mutant {
  /** The fault, as a sentence without subject. */
  readonly fault: string;
  /** File of the sources. */
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

const WRITER = 'src/projections/ledger/writer-ledger.ts';

/** Mutants of each measurement, by its name. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
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
      find: 'if (this.waitingBlocks >= BATCH_BLOCKS_MAX || this.waitingBytes() >= BATCH_BYTES_MAX) this.flushNow();',
      replace: '',
    },
    {
      fault: 'commits the state before the log',
      file: WRITER,
      find: '    this.blocks.commit();\n    this.parts.marker.write',
      replace:
        '    this.totals = this.parts.state.commit(writes, { seq, number, id, digest }, this.totals);\n' +
        '    this.blocks.commit();\n    this.parts.marker.write',
    },
  ],
  'replay-again': [
    {
      fault: 'prints the stored digest and executes nothing',
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
  'malformed-jsonrpc': [
    {
      fault: 'answers "method not found" to every call',
      file: 'src/api/jsonrpc/envelope.ts',
      find: "const method = typeof name === 'string' ? methods.get(name) : undefined;",
      replace: "const method = typeof name === 'string' ? methods.get(name.toUpperCase()) : undefined;",
    },
  ],
  'stop-while-producing': [
    {
      fault: 'ends at once after SIGTERM',
      file: 'src/node/until-stopped.ts',
      find: "process.once('SIGTERM', () => resolve());",
      replace: "process.once('SIGTERM', () => process.exit(0));",
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
};
