import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transaction, TransactionRaw, TransferContract } from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import type { Ports } from '../../reliability/answers/question.js';
import { signedTransaction } from '../../support/signed-transaction.js';
import type { Served } from '../api-bench.js';
import type { Jobs } from './interface-jobs.js';

/** Number of transactions per interface: enough for 5,000 answers per second. */
const TRANSACTIONS = 40_000;
/** Time from the newest block until the transactions expire, in ms. */
const EXPIRES_AFTER_MS = 3_600_000;

interface Transfer {
  readonly transaction: Transaction;
  /** JSON of the contract's fields. */
  readonly value: object;
}

/** Minimum balance of a sender in SUN: enough for the fees of all its transfers. */
const BALANCE_MIN = 1_000_000_000_000n;

/**
 * Returns requests that broadcast valid transfers between funded accounts. No two transfers are equal, and each request
 * succeeds only once.
 * @param folder recording with the private keys of funded accounts
 */
export function broadcastJobs(folder: string, { config, blocks }: Served, ports: Ports): Jobs {
  const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as Readonly<Record<string, string>>;
  const accounts = config.genesis.accounts.flatMap(({ address: hex, balance }) => {
    const address = fromHex(hex);
    const key = keys[encodeBase58Check(address)];
    return key === undefined || balance < BALANCE_MIN ? [] : [{ address, key: fromHex(key) }];
  });
  const head = blocks.at(-1);
  if (head === undefined) throw new Error(`${folder} has no blocks`);
  const transfers = (first: number): Transfer[] =>
    Array.from({ length: TRANSACTIONS }, (_, at) => {
      const [from, to] = [accounts[at % accounts.length]!, accounts[(at + 1) % accounts.length]!];
      const amount = BigInt(first + at + 1);
      const transaction = signedTransaction({
        type: 'TransferContract',
        value: TransferContract.encode(
          Object.assign(new TransferContract(), { ownerAddress: from.address, toAddress: to.address, amount }),
        ),
        blockId: fromHex(head.idHex),
        timestamp: BigInt(head.timeMs),
        expiration: BigInt(head.timeMs + EXPIRES_AFTER_MS),
        key: () => from.key,
      });
      const value = { owner_address: toHex(from.address), to_address: toHex(to.address), amount: Number(amount) };
      return { transaction, value };
    });
  return {
    broadcasttransaction: {
      port: ports.http.fullnode,
      requests: transfers(0).map((transfer) => ({ path: '/wallet/broadcasttransaction', body: jsonOf(transfer) })),
      pendingPort: ports.http.fullnode,
    },
    'gRPC BroadcastTransaction': {
      port: ports.grpc.fullnode,
      method: 'protocol.Wallet/BroadcastTransaction',
      requests: transfers(TRANSACTIONS).map(({ transaction }) => toHex(Transaction.encode(transaction))),
      pendingPort: ports.http.fullnode,
    },
  };
}

/** Returns the JSON of a transaction in the format of the HTTP API. */
function jsonOf({ transaction: { rawData, signature }, value }: Transfer): string {
  if (rawData === undefined) throw new Error('the transaction has no raw data');
  const { refBlockBytes, refBlockHash, expiration, timestamp } = rawData;
  const parameter = { value, type_url: 'type.googleapis.com/protocol.TransferContract' };
  return JSON.stringify({
    visible: false,
    raw_data: {
      contract: [{ parameter, type: 'TransferContract' }],
      ref_block_bytes: toHex(refBlockBytes),
      ref_block_hash: toHex(refBlockHash),
      expiration: Number(expiration),
      timestamp: Number(timestamp),
    },
    raw_data_hex: toHex(TransactionRaw.encode(rawData)),
    signature: signature.map(toHex),
  });
}
