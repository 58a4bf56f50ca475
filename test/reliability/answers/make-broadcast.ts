import type { ApiRelease } from '../../../src/api/releases/api-release.js';
import { Transaction } from '../../../src/codec/generated/messages.js';
import { addressOfKey } from '../../../src/crypto/key-address.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { printTransaction } from '../../../src/encoding/json/print-transaction.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import type { Random } from '../../fuzz/random.js';
import { parseTree, printTree } from './json-tree.js';
import { mutate } from './mutate-json.js';
import { mutateMessage } from './mutate-message.js';
import type { Question } from './question.js';
import type { Seeds } from './seeds.js';

const ADDRESS_PREFIX = 0x41;

/**
 * Creates broadcasts, and requests for signature weights and approvals, from recorded transactions. Most transactions
 * are changed, and most of the changed ones are signed again.
 */
export class BroadcastMaker {
  private readonly seeds: Seeds;
  private readonly release: ApiRelease;
  /** Private keys by address (hex). */
  private readonly keys = new Map<string, Uint8Array>();

  constructor(seeds: Seeds, release: ApiRelease) {
    this.seeds = seeds;
    this.release = release;
    for (const hex of seeds.keys) {
      const key = fromHex(hex);
      this.keys.set(toHex(addressOfKey(secp256k1.publicKeyOf(key), ADDRESS_PREFIX)), key);
    }
  }

  make(random: Random): Question {
    const bytes = this.transaction(random);
    const share = random.next();
    const post = { protocol: 'http', server: 'fullnode', method: 'POST', contentType: 'application/json' } as const;
    if (share < 0.3) {
      const body = Buffer.from(`{"transaction":"${bytes.toString('hex')}"}`);
      return { ...post, path: '/wallet/broadcasthex', body };
    }
    if (share < 0.55) {
      const name = random.pick([
        'BroadcastTransaction',
        'BroadcastTransaction',
        'GetTransactionSignWeight',
        'GetTransactionApprovedList',
      ]);
      return { protocol: 'grpc', server: 'fullnode', method: 'unary', path: `protocol.Wallet/${name}`, body: bytes };
    }
    const path = `/wallet/${random.pick(['broadcasttransaction', 'broadcasttransaction', 'getsignweight', 'getapprovedlist'])}`;
    return { ...post, path, body: Buffer.from(this.textOf(bytes, random)) };
  }

  private textOf(bytes: Buffer, random: Random): string {
    const visible = random.chance(0.4);
    try {
      const options = { visible, release: this.release, addressPrefix: ADDRESS_PREFIX };
      const text = printTransaction(Transaction.decode(bytes), options).replace(/}$/, `,"visible":${visible}}`);
      const tree = parseTree(text);
      return tree === undefined
        ? text
        : printTree(mutate(tree, this.seeds.pool, random, random.pick([0, 0, 0, 1, 1, 2])));
    } catch {
      return `{"raw_data":{},"signature":["${bytes.toString('hex')}"]}`;
    }
  }

  private transaction(random: Random): Buffer {
    const recorded = Buffer.from(random.pick(this.seeds.transactions), 'hex');
    if (random.chance(0.15)) return recorded;
    const changed = mutateMessage(recorded, this.seeds.bytes, random);
    return random.chance(0.75) ? this.signed(changed) : changed;
  }

  /**
   * Signs a transaction with the owner's key. If the owner or the key is unknown, returns the transaction unchanged.
   */
  private signed(bytes: Buffer): Buffer {
    try {
      const message = Transaction.decode(bytes);
      const { owner, id } = decodeTransaction(message);
      const key = this.keys.get(owner);
      if (key === undefined) return bytes;
      const { signature, recid } = secp256k1.sign(id, key);
      message.signature = [Uint8Array.from([...signature, recid + 27])];
      return Buffer.from(Transaction.encode(message));
    } catch {
      return bytes;
    }
  }
}
