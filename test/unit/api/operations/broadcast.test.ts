import t from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { broadcastTransaction, RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  ReturnResponse_code as Code,
  type Return,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransactionResult,
} from '../../../../src/codec/generated/messages.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import type { DecodedTransaction } from '../../../../src/state-transition/transaction.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import { stateWith } from '../../../support/vm/state-with.js';

/**
 * Broadcasts a transaction on a node whose head block has the time 0 ms.
 * @param refusal error that the mempool throws
 * @param unreadable error that `checkMessage` throws
 */
async function broadcast(
  release: string,
  transaction: DecodedTransaction,
  refusal?: ChainError,
  unreadable?: ChainError,
  { offered = 0, openBlocks = 1, unsolidifiedMax = Number.POSITIVE_INFINITY } = {},
): Promise<Return> {
  const limits = { connectionsMin: 0, pendingMax: 10, unsolidifiedMax };
  const api = {
    settings: { release: apiRelease(release), ...limits, remembersIds: false },
    peers: { active: 0, inSync: 0, broadcast: () => 0 },
    pending: { offered, find: () => undefined },
    openBlocks,
    checkMessage: () => {
      if (unreadable !== undefined) throw unreadable;
    },
    view: () => ({ state: stateWith() }) as unknown as ChainView,
    submit: () => (refusal === undefined ? Promise.resolve() : Promise.reject(refusal)),
  } as unknown as ApiContext;
  return broadcastTransaction(api, transaction, new RememberedIds());
}

function transaction(signatureBytes: number): DecodedTransaction {
  const rawData = Object.assign(new TransactionRaw(), { contract: [new TransactionContract()] });
  const signature = [new Uint8Array(signatureBytes)];
  return decodeTransaction(Object.assign(new Transaction(), { rawData, signature }));
}

const nameOf = (code: number) => Object.entries(Code).find(([, value]) => value === code)?.[0];
const textOf = ({ code, message }: Return): string => `${nameOf(code)} ${Buffer.from(message)}`;

t.test('accepts signatures of 65 to 68 bytes on broadcast since 4.8.2', async (t) => {
  for (const bytes of [64, 69]) {
    const answer = textOf(await broadcast('4.8.2', transaction(bytes)));
    t.equal(answer, `SIGERROR Validate signature error: Signature size is ${bytes}`);
    t.equal(textOf(await broadcast('4.7.2', transaction(bytes))), 'SUCCESS ');
  }
  for (const bytes of [65, 68]) t.equal(textOf(await broadcast('4.8.2', transaction(bytes))), 'SUCCESS ');
});

t.test('rejects broadcasts while too many blocks are unsolidified or the mempool is full', async (t) => {
  const say = async (more: Parameters<typeof broadcast>[4]): Promise<string> =>
    textOf(await broadcast('4.8.2', transaction(65), undefined, undefined, more));
  const unsolidifiedMax = 54;
  t.equal(await say({ openBlocks: 55, unsolidifiedMax }), 'BLOCK_UNSOLIDIFIED Block unsolidified.');
  t.equal(await say({ openBlocks: 54, unsolidifiedMax }), 'SUCCESS ');
  t.equal(await say({ openBlocks: 1000 }), 'SUCCESS ', 'the limit is disabled');
  t.equal(await say({ offered: 11 }), 'SERVER_BUSY Server busy.');
  t.equal(await say({ offered: 10 }), 'SUCCESS ');
  const both = { offered: 11, openBlocks: 55, unsolidifiedMax };
  t.match(await say(both), /^BLOCK_UNSOLIDIFIED/, 'unsolidified blocks are checked first');
});

t.test('reports the size of a transaction that is too large', async (t) => {
  const refusal = new ChainError('TooBigTransactionException', 'Too big transaction, with its size');
  const say = async (release: string) => textOf(await broadcast(release, transaction(65), refusal));
  t.equal(await say('4.8.2'), 'TOO_BIG_TRANSACTION_ERROR Too big transaction, with its size');
  t.equal(await say('4.7.2'), 'TOO_BIG_TRANSACTION_ERROR Transaction size is too big.');
});

t.test('checks first in 4.7.2, and last in 4.8.2, whether a transaction can be decoded', async (t) => {
  const refusal = new ChainError('TaposException', 'another place');
  const unreadable = new ChainError('P2pException', 'unreadable');
  t.equal(textOf(await broadcast('4.7.2', transaction(65), refusal, unreadable)), 'OTHER_ERROR Error: unreadable');
  t.equal(textOf(await broadcast('4.8.2', transaction(65), refusal, unreadable)), 'TAPOS_ERROR Tapos check error.');
  t.equal(textOf(await broadcast('4.8.2', transaction(65), undefined, unreadable)), 'OTHER_ERROR Error: unreadable');
});

t.test('rejects broadcasts while too many blocks are unsolidified, if configured', async (t) => {
  const say = async (openBlocks: number, unsolidifiedMax: number) => {
    const api = {
      settings: { release: apiRelease('4.8.2'), connectionsMin: 1, unsolidifiedMax },
      openBlocks,
      peers: { active: 0 },
    } as unknown as ApiContext;
    return textOf(await broadcastTransaction(api, transaction(65), new RememberedIds()));
  };
  // The count of unsolidified blocks includes the solidified block itself.
  t.equal(await say(55, 54), 'BLOCK_UNSOLIDIFIED Block unsolidified.');
  t.equal(await say(54, 54), 'NO_CONNECTION No connection.');
  t.equal(await say(1_000, Number.POSITIVE_INFINITY), 'NO_CONNECTION No connection.');
});

t.test('drops unknown fields of pending transactions since 4.8.2', async (t) => {
  const odd = transaction(65);
  const message = Object.assign(new Transaction(), odd.message, { $unknown: Buffer.from('2a00', 'hex') });
  const submitted = decodeTransaction(message);
  for (const [release, expected] of [
    ['4.7.2', submitted.bytes],
    ['4.8.2', odd.bytes],
  ] as const) {
    const seen: Uint8Array[] = [];
    const note = ({ bytes }: DecodedTransaction): number => seen.push(bytes);
    const api = {
      settings: {
        release: apiRelease(release),
        connectionsMin: 0,
        pendingMax: 10,
        unsolidifiedMax: 10,
        remembersIds: false,
      },
      peers: { active: 0, inSync: 0, broadcast: note },
      pending: { offered: 0, find: () => undefined },
      openBlocks: 1,
      checkMessage: note,
      view: () => ({ state: stateWith() }) as unknown as ChainView,
      submit: () => Promise.resolve(),
    } as unknown as ApiContext;
    await broadcastTransaction(api, submitted, new RememberedIds());
    t.same(seen, [expected, expected], release);
  }
});

// Reference: Wallet.broadcastTransaction, which sends the message after pushTransaction. pushTransaction adds the
// result to the transaction.
t.test('forwards pending transactions with their result since 4.8.2', async (t) => {
  const submitted = transaction(65);
  const ret = [Object.assign(new TransactionResult(), { contractRet: 1 })];
  const kept = decodeTransaction(Object.assign(new Transaction(), submitted.message, { ret }));
  for (const [release, expected] of [
    ['4.7.2', submitted.bytes],
    ['4.8.2', kept.bytes],
  ] as const) {
    const announced: Uint8Array[] = [];
    const limits = { connectionsMin: 0, pendingMax: 10, unsolidifiedMax: 10, remembersIds: false };
    const api = {
      settings: { release: apiRelease(release), ...limits },
      peers: { active: 0, inSync: 0, broadcast: ({ bytes }: DecodedTransaction) => announced.push(bytes) },
      pending: { offered: 0, find: (id: string) => (id === submitted.idHex ? kept.message : undefined) },
      openBlocks: 1,
      checkMessage: () => undefined,
      view: () => ({ state: stateWith() }) as unknown as ChainView,
      submit: () => Promise.resolve(),
    } as unknown as ApiContext;
    await broadcastTransaction(api, submitted, new RememberedIds());
    t.same(announced, [expected], release);
  }
});

// Reference: Manager.transactionIdCache, a Guava cache with expireAfterWrite(1 hour).
t.test('remembers the id of a transaction for an hour', async (t) => {
  let nowMs = 0;
  const ids = new RememberedIds(() => nowMs);
  t.equal(ids.add('a'), true);
  nowMs = 3_599_999;
  t.equal(ids.add('a'), false, 'a rejected id does not start its hour again');
  nowMs = 3_600_000;
  t.equal(ids.add('a'), true);
  nowMs = 7_000_000;
  ids.store('a');
  nowMs = 10_599_999;
  t.equal(ids.add('a'), false, 'a block starts the hour again');
});
