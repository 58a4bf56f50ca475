import { readFileSync } from 'node:fs';
import { Transaction, TransactionRaw, TransferContract } from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { signedTransaction } from '../../support/signed-transaction.js';
import { createRandom } from '../random.js';

/**
 * Sends signed transfers over HTTP for some seconds, with several clients at a time. The owner is the witness of
 * `config/devnet.conf`. Some transfers are sent twice, are expired or have a wrong signature. Prints
 * `TransactionsSent`.
 */
const [, , port = '', seconds = '', clients = '', seed = ''] = process.argv;

/** Number of answers by code. The answer to an accepted transaction has the code SUCCESS. */
export interface TransactionsSent {
  readonly answers: Readonly<Record<string, number>>;
  /** Ids of the accepted transactions, in hex. */
  readonly accepted: readonly string[];
  /** Some of the answers that differ from the expected answer to their transaction. */
  readonly strange: readonly string[];
}

type Kind = 'good' | 'repeated' | 'expired' | 'unsigned';

/** Code and text of the answer to each kind of transaction. The mempool may also be full, and reject any kind. */
const EXPECTED: Readonly<Record<Kind, readonly [code: string, text: RegExp]>> = {
  good: ['SUCCESS', /^$/],
  repeated: ['DUP_TRANSACTION_ERROR', /./],
  expired: ['TRANSACTION_EXPIRATION_ERROR', /./],
  unsigned: ['SIGERROR', /./],
};
const BUSY = 'SERVER_BUSY';
/** Share of each kind of invalid transaction. */
const ODD_SHARE = 0.02;
const HOUR_MS = 3_600_000;
const STRANGE_MAX = 5;

const template = readFileSync(new URL('../../../config/devnet.conf', import.meta.url), 'utf8');
const key = fromHex(/localwitness = \[ (\w+) \]/.exec(template)![1]!);
const witness = decodeBase58Check(/witnesses = \[ \{ address = "(\w+)"/.exec(template)![1]!)!;
const payee = decodeBase58Check(/accountName = "account0".* address = "(\w+)"/.exec(template)![1]!)!;
const random = createRandom(Number(seed));
const url = `http://127.0.0.1:${port}/wallet`;
const answers: Record<string, number> = {};
const accepted: string[] = [];
const strange: string[] = [];
const head = (await (await fetch(`${url}/getnowblock`, { method: 'POST', body: '{}' })).json()) as {
  readonly blockID: string;
  readonly block_header: { readonly raw_data: { readonly timestamp: number } };
}; // Cast: the answer of the node has this type.
const headId = fromHex(head.blockID);
const headMs = head.block_header.raw_data.timestamp;
let made = 0;
const end = performance.now() + 1000 * Number(seconds);
await Promise.all(Array.from({ length: Number(clients) }, send));
const sent: TransactionsSent = { answers, accepted, strange };
process.stdout.write(JSON.stringify(sent));

async function send(): Promise<void> {
  while (performance.now() < end) {
    const kind = (['expired', 'unsigned', 'repeated'] as const)[Math.floor(random() / ODD_SHARE)] ?? 'good';
    const { id, bytes } = signed(kind);
    const first = await broadcast(bytes);
    // A repeated transaction is certainly a duplicate only if the first one was accepted.
    if (kind === 'repeated' && first.code === 'SUCCESS') {
      accepted.push(id);
      note('repeated', await broadcast(bytes));
    } else note(kind === 'repeated' ? 'good' : kind, first);
    if (first.code === 'SUCCESS' && kind !== 'repeated') accepted.push(id);
  }
}

interface Answer {
  readonly code: string;
  readonly text: string;
}

async function broadcast(bytes: Uint8Array): Promise<Answer> {
  const body = JSON.stringify({ transaction: toHex(bytes) });
  const reply = await fetch(`${url}/broadcasthex`, { method: 'POST', body });
  const { code = 'none', message = '' } = (await reply.json()) as { code?: string; message?: string };
  return { code, text: code === 'SUCCESS' ? '' : message };
}

function note(kind: Kind, { code, text }: Answer): void {
  answers[code] = (answers[code] ?? 0) + 1;
  const [expected, form] = EXPECTED[kind];
  const isExpected = (code === expected && form.test(text)) || (code === BUSY && text !== '');
  if (!isExpected && strange.length < STRANGE_MAX) strange.push(`${kind}: ${code} ${text}`);
}

/** Returns a transfer that differs from all others. Its TAPOS reference is the head at the start. */
function signed(kind: Kind): { readonly id: string; readonly bytes: Uint8Array } {
  const value = TransferContract.encode(
    Object.assign(new TransferContract(), { ownerAddress: witness, toAddress: payee, amount: BigInt(++made) }),
  );
  const transaction = signedTransaction({
    type: 'TransferContract',
    value,
    blockId: headId,
    timestamp: BigInt(headMs + made),
    expiration: BigInt(kind === 'expired' ? headMs - 1 : headMs + HOUR_MS),
    key: (hash) => (kind === 'unsigned' ? hash : key),
  });
  const id = toHex(sha256(TransactionRaw.encode(transaction.rawData!)));
  return { id, bytes: Transaction.encode(transaction) };
}
