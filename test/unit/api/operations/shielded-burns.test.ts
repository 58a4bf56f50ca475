import { createCipheriv } from 'node:crypto';
import t from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { eventsRefusal, scanByOutgoingKey } from '../../../../src/api/operations/shielded/scan-notes.js';
import { shieldedTriggerInput } from '../../../../src/api/operations/shielded/shielded-contracts.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { burnNonce } from '../../../../src/api/shielded/burn-record.js';
import {
  BytesMessage,
  ShieldedTRC20Parameters,
  ShieldedTRC20TriggerContractParameters,
  SpendDescription,
  TransactionInfo,
  TransactionInfoLog,
  TransactionRet,
} from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { concatBytes, fromHex, toHex, utf8 } from '../../../../src/primitives/bytes.js';

const PREFIX = 0x41;
const contextOf = (name: string): ApiContext =>
  ({
    settings: { release: apiRelease(name), allowsShieldedApi: true, addressPrefix: PREFIX },
  }) as unknown as ApiContext;
const [OLD, NEW] = [contextOf('4.7.2'), contextOf('4.8.2')];

const KEY = new Uint8Array(32).fill(7);
const NULLIFIER = new Uint8Array(32).fill(9);
const AMOUNT = fromHex('3e8'.padStart(64, '0'));
const TO = concatBytes(Uint8Array.of(PREFIX), new Uint8Array(20).fill(5));
const BOUND = Uint8Array.of(0, 0, 0, 1);
const ZEROS = new Uint8Array(16);

/** Encrypts amount, receiver and zeros as the wallet of java-tron does. */
function seal(nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv('chacha20-poly1305', KEY, nonce, { authTagLength: 16 });
  const text = cipher.update(concatBytes(AMOUNT, TO, new Uint8Array(11)));
  cipher.final();
  return concatBytes(text, cipher.getAuthTag());
}

const nonce = burnNonce({ nullifier: NULLIFIER, amount: AMOUNT, receiver: TO });
const boundRecord = concatBytes(seal(nonce), nonce, BOUND);
const oldRecord = concatBytes(seal(new Uint8Array(12)), ZEROS);

function triggerInput(api: ApiContext, record: Uint8Array, nullifiers: readonly Uint8Array[] = [NULLIFIER]): string {
  const spendDescription = nullifiers.map((nullifier) => Object.assign(new SpendDescription(), { nullifier }));
  const shieldedTRC20Parameters = Object.assign(new ShieldedTRC20Parameters(), {
    spendDescription,
    parameterType: 'burn',
    triggerContractInput: toHex(record),
  });
  const request = Object.assign(new ShieldedTRC20TriggerContractParameters(), {
    shieldedTRC20Parameters,
    spendAuthoritySignature: nullifiers.map(() => Object.assign(new BytesMessage(), { value: new Uint8Array(64) })),
    amount: '1000',
    transparentToAddress: TO,
  });
  try {
    return toHex(shieldedTriggerInput(api, request).value);
  } catch (error) {
    return (error as { text: string }).text;
  }
}

t.test('requires that the nonce of an encrypted burn record is derived from the burn and its nullifier', async (t) => {
  t.ok(triggerInput(NEW, boundRecord).includes(toHex(boundRecord)));
  t.ok(
    triggerInput(OLD, oldRecord.subarray(0, 80)).includes(toHex(oldRecord)),
    'a record of 4.7.2 has zeros after the ciphertext',
  );
  const none = 'invalid shielded TRC-20 contract parameters for burn trigger input';
  t.equal(triggerInput(OLD, boundRecord), none);
  t.equal(triggerInput(NEW, new Uint8Array(0)), none);
  t.equal(
    triggerInput(NEW, oldRecord.subarray(0, 80)),
    'legacy 80-byte burn cipher is deprecated and rejected; expected 96-byte burn record',
  );
  t.equal(
    triggerInput(NEW, oldRecord),
    'burn trigger input must be v2 (reserved=0x00000001); legacy/unknown markers rejected',
  );
  t.equal(
    triggerInput(NEW, boundRecord, [NULLIFIER, NULLIFIER]),
    'burn trigger input requires exactly one spendDescription for nf-bound nonce',
  );
  t.equal(
    triggerInput(NEW, boundRecord, [NULLIFIER.subarray(1)]),
    'burn trigger input requires 32-byte spendDescription.nullifier',
  );
  t.equal(
    triggerInput(NEW, boundRecord, [new Uint8Array(32)]),
    'burn trigger input nonce does not match nonce bound to (nf, amount, addr)',
  );
});

const CONTRACT = concatBytes(Uint8Array.of(PREFIX), new Uint8Array(20).fill(1));

function logOf(event: string, data: Uint8Array): TransactionInfoLog {
  const topics = [keccak256(utf8(event))];
  return Object.assign(new TransactionInfoLog(), { address: CONTRACT.subarray(1), topics, data });
}

const spent = logOf('NoteSpent(bytes32)', NULLIFIER);
const burnt = (record: Uint8Array): TransactionInfoLog =>
  logOf('TokenBurn(address,uint256,bytes32[3])', concatBytes(new Uint8Array(12), TO.subarray(1), AMOUNT, record));

/**
 * Scans a transaction that has these logs, with the outgoing key. Returns the indexes and amounts that the scan finds.
 */
function scan(api: ApiContext, log: TransactionInfoLog[], events: string[] = []): (string | number)[][] {
  const info = Object.assign(new TransactionInfo(), { id: new Uint8Array(32), log });
  const results = TransactionRet.encode(Object.assign(new TransactionRet(), { transactioninfo: [info] }));
  const view = { headNumber: 1, block: (number: number) => (number === 1 ? { results } : undefined) };
  const range = { startBlockIndex: 0n, endBlockIndex: 2n, shieldedTRC20ContractAddress: CONTRACT, events };
  const { noteTxs } = scanByOutgoingKey(api, view as unknown as ChainView, { ...range, ovk: KEY });
  return noteTxs.map(({ index, toAmount, transparentToAddress }) => [index, toAmount, toHex(transparentToAddress)]);
}

t.test('finds burns in the old form, and in the form with a nullifier', async (t) => {
  const found = (index: number) => [index, '1000', toHex(TO)];
  t.same(scan(NEW, [burnt(oldRecord)]), [found(0)]);
  t.same(scan(NEW, [spent, burnt(boundRecord)]), [found(0)], 'after a log of its nullifier');
  t.same(scan(NEW, [burnt(boundRecord)]), [], 'without a log of its nullifier');
  t.same(
    scan(NEW, [spent, burnt(boundRecord), burnt(boundRecord), burnt(oldRecord)]),
    [found(0), found(2)],
    'one burn for one nullifier',
  );
  t.same(scan(NEW, [burnt(concatBytes(oldRecord.subarray(0, 95), Uint8Array.of(2)))]), [], 'an invalid marker byte');
  t.same(scan(NEW, [burnt(oldRecord.subarray(0, 80))]), [], 'too short');
  t.same(scan(OLD, [spent, burnt(oldRecord)]), [found(0)]);
  t.same(scan(OLD, [spent, burnt(boundRecord)]), []);
});

t.test('rejects event signatures since 4.8.2, except empty ones', async (t) => {
  const refusal = "'events' field is deprecated and no longer supported";
  t.equal(eventsRefusal(NEW, ['', 'TokenBurn(address)']), refusal);
  t.equal(eventsRefusal(NEW, ['']), undefined);
  t.equal(eventsRefusal(NEW, []), undefined);
  t.equal(eventsRefusal(OLD, ['TokenBurn(address)']), undefined);
  t.same(scan(NEW, [burnt(oldRecord)], ['']).length, 1);
  t.same(scan(OLD, [burnt(oldRecord)], ['']), [], 'release 4.7.2 reads any signature as the default signatures');
});
