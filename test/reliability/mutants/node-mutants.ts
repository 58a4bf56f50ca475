import type { Fault } from '../../support/faulty-copy.js';

/** Faults that only a run of the whole node finds. */
export const nodeMutants: Readonly<Record<string, readonly Fault[]>> = {
  soak: [
    {
      fault: 'an API thread never releases a buffer of each request',
      file: 'src/api/http/server/create-server.ts',
      find: '      const server = createNodeServer(timeouts(options), (request, response) =>\n',
      replace:
        '      const buffers: Buffer[] = [];\n      const server = createNodeServer(timeouts(options), (request, response) =>\n        buffers.push(Buffer.alloc(65_536)) && ',
    },
    {
      fault: 'a file is not closed after it was replaced',
      file: 'src/files/write-draft.ts',
      find: '    closeSync(file);\n',
      replace: '    if (file < 0) closeSync(file);\n',
    },
    {
      fault: 'one in 4 accepted transfers is lost',
      file: 'src/chain/mempool.ts',
      find: '      this.pending.add(pending);\n',
      replace:
        '      const isTransfer = transaction.contractType === ContractType.TransferContract;\n      if (!isTransfer || !/^[0-3]/.test(transaction.idHex)) this.pending.add(pending);\n',
    },
    {
      fault: 'a sink does not write the records of one in 8 blocks',
      file: 'src/streams/sinks/ndjson/ndjson-sink.ts',
      find: 'text += recordLines(block, this.last);',
      replace: 'if (block.number % 8 !== 0) text += recordLines(block, this.last);',
    },
  ],
};
