import { readFileSync } from 'node:fs';
import secp256k1 from 'secp256k1';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';
import { createRandom } from '../random.js';

/**
 * Sends signed transfers of the witness of `config/devnet.conf` over HTTP, for some seconds, from some clients at a
 * time. A part of them is sent twice, is expired or has a wrong signature. Prints `TransactionsSent`.
 */
const [, , port = '', seconds = '', clients = '', seed = ''] = process.argv;

/** Number of answers by code; the answer of an accepted transaction has the code SUCCESS. */
export interface TransactionsSent {
  readonly answers: Readonly<Record<string, number>>;
  /** Ids of the accepted transactions. */
  readonly accepted: readonly string[];
  /** Answers that do not fit their transaction, at most some. */
  readonly strange: readonly string[];
}

type Kind = 'good' | 'repeated' | 'expired' | 'unsigned';

/** Code and text of the answer to each kind. Any transaction may also be refused because the mempool is full. */
const EXPECTED: Readonly<Record<Kind, readonly [code: string, text: RegExp]>> = {
  good: ['SUCCESS', /^$/],
  repeated: ['DUP_TRANSACTION_ERROR', /./],
  expired: ['TRANSACTION_EXPIRATION_ERROR', /./],
  unsigned: ['SIGERROR', /./],
};
const BUSY = 'SERVER_BUSY';
/** Share of each kind that is not good. */
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
}; // The node's answer has this form.
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
    // Only an accepted transaction is known to be a duplicate when it arrives again.
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

/** Returns a transfer that differs from all others. It references the head at the start. */
function signed(kind: Kind): { readonly id: string; readonly bytes: Uint8Array } {
  const value = TransferContract.encode(
    Object.assign(new TransferContract(), { ownerAddress: witness, toAddress: payee, amount: BigInt(++made) }),
  );
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const rawData = Object.assign(new TransactionRaw(), {
    refBlockBytes: headId.subarray(6, 8),
    refBlockHash: headId.subarray(8, 16),
    expiration: BigInt(kind === 'expired' ? headMs - 1 : headMs + HOUR_MS),
    timestamp: BigInt(headMs + made),
    contract: [Object.assign(new TransactionContract(), { type: ContractType.TransferContract, parameter })],
  });
  const hash = sha256(TransactionRaw.encode(rawData));
  const { signature, recid } = secp256k1.ecdsaSign(hash, kind === 'unsigned' ? hash : key);
  const all = { rawData, signature: [concatBytes(signature, Uint8Array.of(recid))] };
  return { id: toHex(hash), bytes: Transaction.encode(Object.assign(new Transaction(), all)) };
}
