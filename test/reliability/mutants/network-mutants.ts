import type { Fault } from '../../support/faulty-copy.js';

/** Faults of the network. */
export const networkMutants: Readonly<Record<string, readonly Fault[]>> = {
  'simulated-networks': [
    {
      fault: 'a node does not change to a longer branch',
      file: 'src/chain/chain.ts',
      find: 'reorgTo(this.reorgChain(options), target);',
      replace: 'void [reorgTo, target];',
    },
  ],
  'malformed-frames': [
    {
      fault: 'a malformed length is read as 0',
      file: 'src/p2p/transport/frames.ts',
      find: "throw new P2pError('CORRUPTED_FRAME', 'malformed varint.');",
      replace: 'this.from += LENGTH_BYTES_MAX;\n    return 0;',
    },
  ],
  'malformed-datagrams': [
    {
      fault: 'a malformed datagram throws an exception',
      file: 'src/p2p/discovery/discovery.ts',
      find: "this.options.log.debug({ peer: sender, reason }, 'discovery datagram dropped');",
      replace: 'void reason;\n      throw error;',
    },
  ],
  'line-rate-floods': [
    {
      fault: 'the CPU time of a peer is not limited',
      file: 'src/p2p/transport/peer-cpu-quota.ts',
      find: 'return Math.max(0, this.owedMs - BURST_MS) / SHARE;',
      replace: 'return 0 * Math.max(0, this.owedMs - BURST_MS);',
    },
  ],
  'valid-looking-floods': [
    {
      fault: 'a rejected block is kept',
      file: 'src/chain/chain.ts',
      find: 'if (toHex(this.ledger.position.headId) !== block.idHex) this.recent.remove(block.idHex);',
      replace: '',
    },
  ],
  handlers: [
    {
      fault: 'a long inventory is decoded in one turn',
      file: 'src/p2p/wire/messages.ts',
      find: 'for (const id of part.ids) ids.push(hashHex(id));\n    }\n    yield;',
      replace: 'for (const id of part.ids) ids.push(hashHex(id));\n    }\n    if (ids.length < 0) yield;',
    },
  ],
};
