import t from 'tap';
import {
  AssetIssueContract,
  TransactionContractContractType as ContractType,
  ResourceReceipt,
  TransactionRaw,
  TransferAssetContract,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../../src/crypto/base58-check.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import {
  consumeBandwidth,
  totalBandwidthLimit,
  updateAllUsage,
} from '../../../../src/state-transition/resources/bandwidth.js';
import { addFrozenV2, ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import type { DecodedTransaction } from '../../../../src/state-transition/transaction.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const [OWNER, RECEIVER, NEW] = [1, 2, 3];
const TRX = 1_000_000n;
/** Half a day in ms. In this time, half of the used free bandwidth recovers. */
const HALF_DAY_MS = 43_200_000n;

function chain(properties: Partial<Record<LongProperty, bigint>> = {}) {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, TOTAL_NET_WEIGHT: 10n, TOTAL_NET_LIMIT: 1000n, ...properties });
  addAccount(state, OWNER, 10n * TRX);
  addAccount(state, RECEIVER);
  return state;
}

/** Returns a transfer of 100 bytes. The size excludes its results and includes the space reserved for them. */
function transferTo(fill: number): DecodedTransaction {
  const parameter = Object.assign(new TransferContract(), { ownerAddress: bytesOf(OWNER), toAddress: bytesOf(fill) });
  const fields = { parameter, contractType: ContractType.TransferContract, owner: addressOf(OWNER) };
  return {
    ...fields,
    size: 100,
    sizeWithoutResult: 100,
    resultSize: 0,
    raw: new TransactionRaw(),
  } as DecodedTransaction;
}

function bill(state: ReturnType<typeof chain>, transaction = transferTo(RECEIVER)) {
  const receipt = new ResourceReceipt();
  const isForBytes = consumeBandwidth(state, { transaction, block: undefined }, receipt);
  return [receipt.netUsage, receipt.netFee, isForBytes] as const;
}

t.test('consumes staked bandwidth, then free bandwidth, then balance', async (t) => {
  const state = chain();
  const account = state.account(addressOf(OWNER));
  if (account !== undefined) addFrozenV2(account, ResourceCode.BANDWIDTH, TRX);
  t.same(bill(state), [100n, 0n, true]);
  t.same([account?.netUsage, account?.freeNetUsage], [100n, 0n], 'one of ten TRX of stake grants 100 of 1,000 units');
  for (let i = 0; i < 50; i++) bill(state);
  t.equal(state.account(addressOf(OWNER))?.freeNetUsage, 5000n);
  t.equal(state.properties.get('PUBLIC_NET_USAGE'), 5000n);
  t.same(bill(state), [0n, 1000n, true]);
  t.same([state.account(addressOf(OWNER))?.balance, state.account(BLACKHOLE)?.balance], [10n * TRX - 1000n, 1000n]);
});

t.test('counts the bytes of results once smart contracts are enabled', async (t) => {
  t.same(bill(chain({ ALLOW_CREATION_OF_CONTRACTS: 1n })), [164n, 0n, true]);
});

// Found by a comparison with java-tron 4.8.2. Commons.adjustBalance returns before it stores the account.
t.test('does not store the account or its operation time for a fee of 0', async (t) => {
  const cases = [
    ['TRANSACTION_FEE', RECEIVER],
    ['CREATE_ACCOUNT_FEE', NEW],
  ] as const;
  for (const [fee, receiver] of cases) {
    const of = (price: bigint) => {
      const state = chain({ [fee]: price, FREE_NET_LIMIT: 0n, latest_block_header_timestamp: 9000n });
      const mark = state.mark();
      bill(state, transferTo(receiver));
      const stored = state.accountsWrittenSince(mark).map(([address]) => address);
      return { time: state.account(addressOf(OWNER))?.latestOprationTime, stored };
    };
    t.same(of(1n), { time: 9000n, stored: [addressOf(OWNER), BLACKHOLE] }, fee);
    t.same(of(0n), { time: 0n, stored: [] }, fee);
  }
});

// Products of longs overflow in java-tron. Reference: BandwidthProcessor.useTransactionFee,
// consumeBandwidthForCreateNewAccount.
t.test('pays a fee to the owner if the product of price and bytes overflows to a value below 0', async (t) => {
  const price = 10n ** 17n;
  const fee = 100n * price - 2n ** 64n;
  const free = { FREE_NET_LIMIT: 0n, TRANSACTION_FEE: price };
  const state = chain({ ...free, ALLOW_BLACKHOLE_OPTIMIZATION: 1n });
  t.same(bill(state), [0n, fee, true]);
  t.equal(state.account(addressOf(OWNER))?.balance, 10n * TRX - fee);
  t.throws(() => bill(chain(free)), { code: 'AccountResourceInsufficientException' }, 'the black hole cannot pay');
});

t.test('charges wrapped bandwidth for a new account', async (t) => {
  const rate = 10n ** 17n;
  t.same(bill(chain({ CREATE_NEW_ACCOUNT_BANDWIDTH_RATE: rate }), transferTo(NEW)), [
    100n * rate - 2n ** 64n,
    0n,
    false,
  ]);
});

t.test('charges a fee or staked bandwidth for a new account', async (t) => {
  const state = chain();
  t.same(bill(state, transferTo(NEW)), [0n, 100_000n, false]);
  t.equal(state.properties.get('TOTAL_CREATE_ACCOUNT_COST'), 100_000n);
  const account = state.account(addressOf(OWNER));
  if (account !== undefined) addFrozenV2(account, ResourceCode.BANDWIDTH, TRX);
  t.same(bill(state, transferTo(NEW)), [100n, 0n, false]);
});

t.test('rejects a transaction without bandwidth and balance', async (t) => {
  const state = chain({ FREE_NET_LIMIT: 0n });
  addAccount(state, OWNER, 999n);
  t.throws(() => bill(state), {
    code: 'AccountResourceInsufficientException',
    message: `account [${encodeBase58Check(bytesOf(OWNER))}] has insufficient bandwidth[100] and balance[1000] to create new account`,
  });
  t.throws(() => bill(state, { ...transferTo(RECEIVER), owner: addressOf(9) }), {
    message: `account [${encodeBase58Check(bytesOf(9))}] does not exist`,
  });
  t.throws(() => bill(state, { ...transferTo(RECEIVER), resultSize: 1 }), { message: 'too big transaction result' });
});

t.test('charges the issuer for token transfers within the token limits', async (t) => {
  const state = chain({ ALLOW_SAME_TOKEN_NAME: 1n });
  const issuer = addAccount(state, 5);
  addFrozenV2(issuer, ResourceCode.BANDWIDTH, 5n * TRX);
  const asset = { ownerAddress: bytesOf(5), id: '1000001', freeAssetNetLimit: 150n, publicFreeAssetNetLimit: 1000n };
  const key = toHex(utf8('1000001'));
  state.assetsV2.put(key, Object.assign(new AssetIssueContract(), asset));
  const parameter = Object.assign(new TransferAssetContract(), {
    toAddress: bytesOf(RECEIVER),
    assetName: utf8('1000001'),
  });
  const transaction = { ...transferTo(RECEIVER), contractType: ContractType.TransferAssetContract, parameter };
  t.same(bill(state, transaction), [100n, 0n, true]);
  t.equal(state.account(addressOf(5))?.netUsage, 100n);
  t.equal(state.account(addressOf(OWNER))?.freeAssetNetUsageV2.get('1000001'), 100n);
  t.equal(state.assetsV2.get(key)?.publicFreeAssetNetUsage, 100n);
  bill(state, transaction);
  t.equal(state.account(addressOf(OWNER))?.freeNetUsage, 100n, 'above the limit of the holder, the holder pays');
});

// Found by a comparison with java-tron. With proposal 25, the account trie contains only accounts that were stored.
t.test('does not store an issuer without bandwidth', async (t) => {
  const state = chain({ ALLOW_SAME_TOKEN_NAME: 1n });
  addAccount(state, 5);
  const asset = { ownerAddress: bytesOf(5), id: '1000001', freeAssetNetLimit: 150n, publicFreeAssetNetLimit: 1000n };
  state.assetsV2.put(toHex(utf8('1000001')), Object.assign(new AssetIssueContract(), asset));
  const named = { toAddress: bytesOf(RECEIVER), assetName: utf8('1000001') };
  const parameter = Object.assign(new TransferAssetContract(), named);
  const mark = state.mark();
  bill(state, { ...transferTo(RECEIVER), contractType: ContractType.TransferAssetContract, parameter });
  t.same(
    state.accountsWrittenSince(mark).map(([address]) => address),
    [addressOf(OWNER)],
  );
});

t.test('decays all usages together', async (t) => {
  const state = chain();
  const account = addAccount(state, OWNER, 0n, { 1000001: 1n });
  account.netUsage = 1000n;
  account.freeNetUsage = 500n;
  account.freeAssetNetUsageV2.set('1000001', 100n);
  state.properties.set('latest_block_header_timestamp', HALF_DAY_MS);
  updateAllUsage(state, account);
  t.same([account.netUsage, account.freeNetUsage, account.freeAssetNetUsageV2.get('1000001')], [500n, 250n, 50n]);
});

t.test('grants a share of network bandwidth for stake', async (t) => {
  const limit = (sun: bigint, properties: Partial<Record<LongProperty, bigint>> = {}) => {
    const state = chain(properties);
    const account = addAccount(state, OWNER);
    addFrozenV2(account, ResourceCode.BANDWIDTH, sun);
    return totalBandwidthLimit(state, account);
  };
  t.same([limit(TRX + TRX / 2n), limit(TRX / 2n), limit(TRX, { TOTAL_NET_WEIGHT: 0n })], [150n, 50n, 0n]);
  t.same(
    [limit(TRX + TRX / 2n, { UNFREEZE_DELAY_DAYS: 0n }), limit(TRX - 1n, { UNFREEZE_DELAY_DAYS: 0n })],
    [100n, 0n],
  );
});
