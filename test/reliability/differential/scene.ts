import type { Chain } from '../../../src/chain/chain.js';
import type { Account } from '../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../src/crypto/hash.js';
import { type Address, addressBytes, toAddress } from '../../../src/primitives/address.js';
import { utf8 } from '../../../src/primitives/bytes.js';
import { isNamedTokens } from '../../../src/state-transition/balances/tokens.js';
import { activeWitnesses } from '../../../src/state-transition/consensus/schedule.js';
import type { State } from '../../../src/state-transition/state/state.js';
import { assetBalance } from '../../../src/state-transition/system-contracts/assets/asset-balance.js';
import { type Actor, actorOf, everybody, rich } from './actors.js';
import { proxyCode, wordOf } from './proxy-code.js';
import type { RandomChoices } from './random-choices.js';
import type { Draft } from './sealed-transaction.js';

export const TRX = utf8('_');
/** Address of the system contract for block hashes, since 4.8.2. */
const BLOCK_HASHES = Buffer.from('410000f90827f1c53a10cb7a02335b175320002935', 'hex');
const FIRST_TOKEN = 1_000_001n;

/** A contract call or creation in an earlier block, with the energy that was used. */
export interface PastRun {
  readonly type: Draft['type'];
  /** Encoded message of the contract. */
  readonly value: Uint8Array;
  readonly owner: Address;
  readonly energy: bigint;
}

/**
 * Creates a transaction of one kind from the current state of the chain. Returns undefined if the state does not
 * contain the data that this kind needs.
 */
export type Family = (scene: Scene) => Draft | undefined;

/** State of a chain from which transactions are created. It includes the effects of pending transactions. */
export class Scene {
  readonly chain: Chain;
  readonly random: RandomChoices;
  /** Deployed contracts, oldest first. Some of them may be destroyed. */
  readonly contracts: Address[];
  /** Addresses of the proxies among `contracts`. */
  readonly proxies: Address[];
  /** Addresses of the log emitters among `contracts`. */
  readonly logEmitters: Address[];
  /** The last contract calls and creations, in the order in which they were made. */
  readonly runs: PastRun[];

  /** @param known scene of another chain. Its contracts and calls also exist on this chain. */
  constructor(chain: Chain, random: RandomChoices, known?: Scene) {
    this.chain = chain;
    this.random = random;
    this.contracts = known?.contracts ?? [];
    this.proxies = known?.proxies ?? [];
    this.logEmitters = known?.logEmitters ?? [];
    this.runs = known?.runs ?? [];
  }

  get state(): State {
    return this.chain.state;
  }

  get headMs(): bigint {
    return this.state.properties.get('latest_block_header_timestamp');
  }

  /** Returns the owner of a transaction. In most cases, it is an account with enough TRX. */
  owner(): Actor {
    return this.random.chance(0.7) ? this.random.pick(rich) : this.random.pick(everybody);
  }

  /**
   * Returns an account that meets a condition. Returns any owner if no account meets it, and also in 15 % of the
   * calls.
   */
  ownerWho(isSo: (account: Account) => boolean): Actor {
    const those = everybody.filter((actor) => {
      const account = this.account(actor);
      return account !== undefined && isSo(account);
    });
    return those.length === 0 || this.random.chance(0.15) ? this.owner() : this.random.pick(those);
  }

  /** Returns the active witnesses whose keys are known. There is always at least one. */
  producers(): readonly Actor[] {
    return activeWitnesses(this.state)
      .map(actorOf)
      .filter((actor) => actor !== undefined);
  }

  witness(): Actor {
    return this.random.chance(0.9) ? this.random.pick(this.producers()) : this.random.pick(everybody);
  }

  /** Returns the address of a recipient: any account, a contract, sometimes an unknown or invalid address. */
  target(): Uint8Array {
    const kind = this.random.below(60);
    if (kind === 0) return this.random.bytes(this.random.pick([0, 20, 21, 22]));
    if (kind === 1) return Uint8Array.of(0x41, ...this.random.bytes(20));
    if (kind === 2) return new Uint8Array(21).fill(0x41, 0, 1);
    if (kind === 3) return this.futureContract() ?? BLOCK_HASHES;
    const contract = kind < 9 ? this.contract() : undefined;
    return contract ?? this.random.pick(everybody).bytes;
  }

  /** Returns an address at which a proxy may create another contract by CREATE2; undefined without proxies. */
  private futureContract(): Uint8Array | undefined {
    const proxy = this.proxy();
    if (proxy === undefined || this.random.chance(0.1)) return undefined;
    const salt = wordOf(BigInt(this.random.below(3)));
    return Uint8Array.of(0x41, ...keccak256(proxy, salt, keccak256(proxyCode)).subarray(12));
  }

  contract(): Uint8Array | undefined {
    return this.contracts.length === 0 ? undefined : addressBytes(this.random.pick(this.contracts.slice(-30)));
  }

  proxy(): Uint8Array | undefined {
    return this.proxies.length === 0 ? undefined : addressBytes(this.random.pick(this.proxies.slice(-6)));
  }

  account({ address }: Actor): Account | undefined {
    return this.state.account(address);
  }

  balance(actor: Actor): bigint {
    return this.account(actor)?.balance ?? 0n;
  }

  /** Returns the names or ids of issued assets. The current rules decide if names or ids are used. */
  tokens(): Uint8Array[] {
    if (isNamedTokens(this.state)) return [...this.state.assets.range('')].map(([, { name }]) => name);
    const last = this.state.properties.get('TOKEN_ID_NUM');
    return Array.from({ length: Number(last - FIRST_TOKEN) + 1 }, (_, at) =>
      utf8((FIRST_TOKEN + BigInt(at)).toString()),
    );
  }

  /** Returns a random asset, TRX, or sometimes an invalid token. */
  token(): Uint8Array {
    const tokens = this.tokens();
    const kind = this.random.below(30);
    if (kind === 0)
      return utf8(this.random.pick(['', '_', '0', '1000000', '01000001', 'abc', '9223372036854775808', '1e3']));
    return tokens.length === 0 || kind < 8 ? TRX : this.random.pick(tokens);
  }

  /** Returns the balance of an account in an asset or in TRX. */
  balanceOf(actor: Actor, token: Uint8Array): bigint {
    const account = this.account(actor);
    if (account === undefined) return 0n;
    if (token.length === 1 && token[0] === TRX[0]) return account.balance;
    return assetBalance(this.state, actor.address, account, token);
  }

  /** Returns an account that owns the asset. Returns any owner if no account owns it, and also in 5 % of the calls. */
  holder(token: Uint8Array): Actor {
    const holders = everybody.filter((actor) => this.balanceOf(actor, token) > 0n);
    return holders.length === 0 || this.random.chance(0.05) ? this.owner() : this.random.pick(holders);
  }

  /**
   * Returns the account with the key that signs for an address. Returns a random account if no key for the address is
   * known, and also in 1 % of the calls.
   */
  keyOf(address: Uint8Array): Actor {
    return (this.random.chance(0.01) ? undefined : actorOf(toAddress(address))) ?? this.owner();
  }
}
