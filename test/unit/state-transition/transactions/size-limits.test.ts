import t from 'tap';
import {
  Any,
  TransactionContractContractType as ContractType,
  ResourceReceipt,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransactionResult,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { consumeBandwidth } from '../../../../src/state-transition/resources/bandwidth.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import type { BlockContext, DecodedTransaction } from '../../../../src/state-transition/transaction.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import {
  type Executor,
  executeTransaction,
} from '../../../../src/state-transition/transactions/execute-transaction.js';
import { addAccount, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const HEAD_MS = 1_000_000n;
const BLOCK: BlockContext = {
  number: 1,
  timeMs: Number(HEAD_MS) + 3000,
  witness: bytesOf(9),
  parentId: new Uint8Array(32),
  isSigned: false,
};
const REFERENCE_HASH = new Uint8Array(8).fill(3);

interface Shape {
  /** Size of the memo in bytes. */
  readonly memo?: number;
  readonly contracts?: number;
  readonly signatures?: number;
  readonly ret?: readonly Partial<TransactionResult>[];
  readonly expirationMs?: bigint;
  readonly reference?: Uint8Array;
}

/**
 * Returns a transfer from account 1 to account 2.
 * @param shape `contracts` is the number of contracts, `signatures` that of signatures
 */
function transferOf(shape: Shape): DecodedTransaction {
  const { memo = 0, contracts = 1, signatures = 1, ret = [], expirationMs = HEAD_MS + 60_000n } = shape;
  const value = TransferContract.encode(
    Object.assign(new TransferContract(), { ownerAddress: bytesOf(1), toAddress: bytesOf(2), amount: 1n }),
  );
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const contract = Object.assign(new TransactionContract(), { type: ContractType.TransferContract, parameter });
  const rawData = Object.assign(new TransactionRaw(), {
    contract: Array.from({ length: contracts }, () => contract),
    data: new Uint8Array(memo),
    expiration: expirationMs,
    refBlockBytes: new Uint8Array(2),
    refBlockHash: shape.reference ?? REFERENCE_HASH,
  });
  const signature = Array.from({ length: signatures }, () => new Uint8Array(65));
  const results = ret.map((result) => Object.assign(new TransactionResult(), result));
  return decodeTransaction(Object.assign(new Transaction(), { rawData, signature, ret: results }));
}

/** Returns a transfer of exactly the given size. @param sizeOf computes the size of a transaction */
function transferOfSize(bytes: number, sizeOf: (transaction: DecodedTransaction) => number, shape: Shape = {}) {
  const memo = bytes - sizeOf(transferOf({ ...shape, memo: 200 })) + 200;
  for (let at = memo - 8; at <= memo + 8; at++) {
    const made = transferOf({ ...shape, memo: at });
    if (sizeOf(made) === bytes) return made;
  }
  throw new Error(`no transfer has ${bytes} bytes`);
}

const executor = {
  chain: {
    recentBlockId: () => new Uint8Array([...new Uint8Array(8), ...REFERENCE_HASH]),
    hasTransaction: () => false,
    headId: () => new Uint8Array(32),
    solidifiedId: () => new Uint8Array(32),
  },
} as unknown as Executor;

function stateOf(properties: Parameters<typeof stateWith>[0] = {}, release = release482): State {
  const state = stateWith({ latest_block_header_timestamp: HEAD_MS, ...properties }, release);
  addAccount(state, 1, 1_000_000_000n);
  return state;
}

const CLOSE = { CONSENSUS_LOGIC_OPTIMIZATION: 1n };

function textOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ChainError) return `${error.exception}: ${error.text}`;
    throw error;
  }
  return 'accepted';
}

const execute = (state: State, transaction: DecodedTransaction, block?: BlockContext): string =>
  textOf(() => executeTransaction(executor, state, { transaction, block }, { isVerified: true }));
const consume = (state: State, transaction: DecodedTransaction, block?: BlockContext): string =>
  textOf(() => consumeBandwidth(state, { transaction, block }, new ResourceReceipt()));
/** Result of a transaction that no size limit rejects. */
const PASSED = 'accepted';

t.test('counts bytes for results on broadcast, and in blocks since proposal 88', async (t) => {
  const withoutResult = ({ sizeWithoutResult }: DecodedTransaction): number => sizeWithoutResult;
  // Account 2 exists, because a transaction that creates an account has a lower limit. This test does not cover that
  // limit.
  const state = (properties = {}): State => {
    const made = stateOf(properties);
    addAccount(made, 2);
    return made;
  };
  const [fits, surpasses] = [512_000 - 128, 512_000 - 127].map((bytes) => transferOfSize(bytes, withoutResult));
  const refusal = `TooBigTransactionException: Too big transaction with result, TxId ${surpasses!.idHex}, the size is 512001 bytes, maxTxSize 512000`;
  t.equal(execute(state(), fits!), PASSED);
  t.equal(execute(state(), surpasses!), refusal);
  t.equal(execute(state(), surpasses!, BLOCK), PASSED, 'in a block before proposal 88');
  t.equal(execute(state(CLOSE), surpasses!, BLOCK), refusal);
  const old = stateOf({}, release472);
  addAccount(old, 2);
  t.equal(execute(old, surpasses!), PASSED, 'release 4.7.2 does not check it');
});

t.test('rejects blocks with transactions that expire before their slot since proposal 88', async (t) => {
  const late = transferOf({ expirationMs: HEAD_MS + 2_999n });
  const known = (properties = {}): State => {
    const state = stateOf(properties);
    addAccount(state, 2);
    return state;
  };
  const refusal = (next: bigint): string =>
    `TransactionExpirationException: Transaction expiration time is ${late.raw.expiration}, but next slot time is ${next}`;
  t.equal(execute(known(), late, BLOCK), PASSED);
  t.equal(execute(known(CLOSE), late, BLOCK), refusal(HEAD_MS + 3_000n));
  t.equal(execute(known({ ...CLOSE, state_flag: 1n }), late, BLOCK), refusal(HEAD_MS + 9_000n), 'after a maintenance');
  t.equal(execute(known(CLOSE), late), PASSED, 'a pending transaction is checked on broadcast instead');
});

t.test('checks the contract count before the reference block', async (t) => {
  for (const contracts of [0, 2]) {
    const transaction = transferOf({ contracts, reference: new Uint8Array(8) });
    t.match(
      execute(stateOf(), transaction),
      `contract size should be exactly 1, this is extend feature ,actual :${contracts}`,
    );
    t.match(execute(stateOf({}, release472), transaction), 'TaposException: Tapos failed');
  }
});

t.test('reserves bytes for the code of each result of a pending transaction', async (t) => {
  const orderId = new Uint8Array(60);
  const transaction = transferOf({ ret: [{ orderId }] });
  const text = `TooBigTransactionResultException: Too big transaction result, TxId ${transaction.idHex}, the result size is`;
  t.match(consume(stateOf(), transaction), text);
  t.equal(consume(stateOf(), transaction, BLOCK), 'accepted');
  t.equal(consume(stateOf({}, release472), transaction), 'accepted');
  t.equal(consume(stateOf(), transferOf({ ret: [{ orderId: orderId.subarray(3) }] })), 'accepted');
});

t.test('ignores surplus results in blocks since proposal 88', async (t) => {
  const surplus = transferOf({ ret: [{ fee: 1n }, { orderId: new Uint8Array(60) }, { fee: 1n }] });
  const large = transferOf({ ret: [{ fee: 1n }, { orderId: new Uint8Array(512_000) }] });
  const known = (properties = {}): State => {
    const state = stateOf(properties);
    addAccount(state, 2);
    return state;
  };
  t.match(execute(known(), surplus, BLOCK), 'TooBigTransactionResultException');
  t.match(execute(known(), large, BLOCK), 'TooBigTransactionException: Too big transaction, TxId');
  t.equal(execute(known(CLOSE), surplus, BLOCK), PASSED);
  t.equal(execute(known(CLOSE), large, BLOCK), PASSED);
});

t.test('bounds an account-creating transaction by a separate size without signatures', async (t) => {
  const size = ({ sizeWithoutResult, message }: DecodedTransaction): number =>
    sizeWithoutResult - 65 * message.signature.length;
  for (const signatures of [1, 2]) {
    const [fits, surpasses] = [1000, 1001].map((bytes) => transferOfSize(bytes, size, { signatures }));
    const refusal = `TooBigTransactionException: Too big new account transaction, TxId ${surpasses!.idHex}, the size is 1001 bytes, maxTxSize 1000`;
    t.equal(consume(stateOf(), fits!), 'accepted');
    t.equal(consume(stateOf(), surpasses!), refusal);
    t.equal(consume(stateOf(), surpasses!, BLOCK), 'accepted', 'in a block before proposal 88');
    t.equal(consume(stateOf(CLOSE), surpasses!, BLOCK), refusal);
    t.equal(
      consume(stateOf({ ...CLOSE, MAX_CREATE_ACCOUNT_TX_SIZE: 1001n }), surpasses!, BLOCK),
      'accepted',
      'proposal 82 sets the limit',
    );
    t.equal(consume(stateOf({}, release472), surpasses!), 'accepted');
  }
});
