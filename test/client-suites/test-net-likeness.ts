import { TronWeb } from 'tronweb';
import { type AccountBank, addressOf, newKeys } from './account-bank.js';
import { EMIT, fixtureToken, type TokenFacts } from './fixture-token.js';

/** Data on the private network that replaces data of the public test network Nile. Some suites expect such data. */
export interface Likeness {
  /**
   * Replacements of contract addresses and transaction ids that a suite contains. Addresses are replaced as Base58Check
   * and as hex without prefix.
   */
  readonly aliases: ReadonlyMap<string, string>;
  /** Address of an account for gotron-sdk's tests. It is not a witness, and has a small balance and a stake. */
  readonly staker: string;
  /** Addresses of two more accounts for gotron-sdk's tests. */
  readonly others: readonly [string, string];
  /** Address of a token with the name Tether USD. */
  readonly dollars: string;
}

/** Number of assets, with ids from 1000001. A test of tronpy requests the sixteenth. */
const ASSETS = 16;
const FIRST_ASSET = 1_000_001;
const ASSET_SUPPLY = 1_000_000;
/**
 * Balance in SUN of the accounts of gotron-sdk's tests. These tests expect that the balance is too small to issue an
 * asset, to create an exchange or to become a witness.
 */
const SMALL_FUNDS = 500_000_000;
const STAKE = 50_000_000;
const DAY_MS = 86_400_000;
const FEE_LIMIT = 1_000_000_000;

/** Addresses and ids on Nile that the tests of tronpy contain. */
const NILE = {
  example: 'THi2qJf6XmvTJSpZHc17HgQsmJop6kb3ia',
  dollars: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
  holder: 'TUyk7E8VqitrD1iFLVMcYg9jbjtD7sMhvF',
  transfer: {
    id: '927c27150f70f0d5762486e3edd626775fe1edab1069ff2182d133807c37f705',
    from: 'TC4JGN4xJUcZgBoLj9fEe8bh5kqAL47Pcx',
    to: 'TAmACnEmTUT7a8topHfTNG1WKXXynQo2yX',
    value: 1_000_000,
  },
} as const;

/**
 * Creates the data on the private network: assets, an exchange, tokens, a transfer, and an account with a stake.
 * @throws {Error} the node rejects a transaction
 */
export async function makeLikeness(bank: AccountBank): Promise<Likeness> {
  const issuers = newKeys('issuer', ASSETS);
  const [stakerKey, ...others] = newKeys('account', 3) as [string, string, string];
  await bank.pay(issuers.map(addressOf));
  await bank.pay([stakerKey, ...others].map(addressOf), SMALL_FUNDS);
  await issueAssets(bank, issuers);
  await openExchange(bank, issuers[0]!);
  const { tronWeb } = bank;
  const stake = await tronWeb.transactionBuilder.freezeBalanceV2(STAKE, 'BANDWIDTH', addressOf(stakerKey));
  await bank.send(stake, stakerKey);
  const example = await deploy(bank, issuers[1]!, { name: 'Example Fixed Supply Token', symbol: 'FIXED', decimals: 2 });
  const dollars = await deploy(bank, issuers[1]!, { name: 'Tether USD', symbol: 'USDT', decimals: 6 });
  const transfer = await describeToken(bank, dollars);
  return {
    aliases: new Map([
      ...contractAliases(NILE.example, example),
      ...contractAliases(NILE.dollars, dollars),
      [NILE.transfer.id, transfer],
    ]),
    staker: addressOf(stakerKey),
    others: others.map(addressOf) as [string, string],
    dollars,
  };
}

async function issueAssets(bank: AccountBank, issuers: readonly string[]): Promise<void> {
  const { transactionBuilder } = bank.tronWeb;
  let last = '';
  for (const [at, key] of issuers.entries()) {
    const saleStart = Date.now() + DAY_MS;
    const options = {
      // The first two assets have the same name.
      name: at < 2 ? 'BTT' : `Asset${at}`,
      abbreviation: at < 2 ? 'BTT' : `A${at}`,
      description: 'of a test',
      url: 'https://example.com',
      totalSupply: ASSET_SUPPLY,
      trxRatio: 1,
      tokenRatio: 1,
      saleStart,
      saleEnd: saleStart + DAY_MS,
      freeBandwidth: 0,
      freeBandwidthLimit: 0,
      frozenAmount: 0,
      frozenDuration: 0,
    };
    last = await bank.send(await transactionBuilder.createAsset(options, addressOf(key)), key);
  }
  await bank.untilDone(last);
  const [id, key] = [String(FIRST_ASSET + ASSETS - 1), issuers.at(-1)!];
  await bank.send(await transactionBuilder.sendAsset(NILE.holder, 1000, id, addressOf(key)), key);
}

async function openExchange(bank: AccountBank, key: string): Promise<void> {
  // gotron-sdk sells 100 SUN and expects at least one unit of the token, which this price allows.
  const [amount, owner] = [1000, addressOf(key)];
  const { transactionBuilder } = bank.tronWeb;
  await bank.send(
    await transactionBuilder.createTRXExchange(String(FIRST_ASSET), ASSET_SUPPLY / 2, amount, owner),
    key,
  );
}

/** Deploys a token. @returns the address of the token */
async function deploy(bank: AccountBank, key: string, facts: Omit<TokenFacts, 'owner'>): Promise<string> {
  const owner = addressOf(key);
  const { abi, bytecode } = fixtureToken({ ...facts, owner: TronWeb.address.toHex(owner) });
  const unsigned = await bank.tronWeb.transactionBuilder.createSmartContract(
    { abi: abi as never, bytecode, name: facts.symbol, feeLimit: FEE_LIMIT, callValue: 0 },
    owner,
  );
  await bank.untilDone(await bank.send(unsigned, key));
  return TronWeb.address.fromHex(unsigned.contract_address);
}

/** Emits the transfer event that tronpy's tests expect. @returns the id of the transaction with the event */
async function describeToken(bank: AccountBank, token: string): Promise<string> {
  const { from, to, value } = NILE.transfer;
  const { transaction } = await bank.tronWeb.transactionBuilder.triggerSmartContract(
    token,
    EMIT,
    { feeLimit: FEE_LIMIT },
    [
      { type: 'address', value: from },
      { type: 'address', value: to },
      { type: 'uint256', value },
    ],
  );
  const id = await bank.send(transaction);
  await bank.untilDone(id);
  return id;
}

function contractAliases(named: string, made: string): (readonly [string, string])[] {
  const hex = (address: string): string => TronWeb.address.toHex(address).slice(2);
  return [
    [named, made],
    [hex(named), hex(made)],
  ];
}
