import {
  AccountPermissionUpdateContract,
  type TransactionContractContractType as ContractType,
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  Key,
  Permission,
  PermissionPermissionType,
  TransferAssetContract,
  TransferContract,
  TriggerSmartContract,
  UnDelegateResourceContract,
  UnfreezeBalanceV2Contract,
  VoteWitnessContract,
  VoteWitnessContractVote,
} from '../../../src/codec/generated/messages.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { ResourceCode } from '../../../src/state-transition/resources/stake.js';
import { accountAt, TOKEN } from '../scale/scale-source.js';
import { SIGNER_RANGES, type Signer, type SignerRange } from './day-accounts.js';
import { callData, contractBytes, DAY_CONTRACTS, type DayContract, type Word } from './day-contracts.js';

const TRX = 1_000_000n;
const CALL_FEE_LIMIT = 100n * TRX;
/**
 * Operations of a new active permission, one bit for each contract type. The value is the default of the recorded
 * chain.
 */
const OPERATIONS = fromHex(`7fff1fc0033ef30f${'00'.repeat(24)}`);

/** One transaction without its reference block and its signature. */
export interface MadeTransaction {
  readonly type: keyof typeof ContractType;
  /** Encoded message of the contract. */
  readonly value: Uint8Array;
  readonly feeLimit: bigint;
  readonly signer: Signer;
}

/** A delegation that is not ended yet. */
interface OpenDelegation {
  readonly delegator: Signer;
  readonly receiver: Uint8Array;
  readonly balance: bigint;
}

/** Accounts, delegations and random numbers, from which the transactions of a day are generated. */
export interface Day {
  readonly signers: readonly Signer[];
  /** Number of generated accounts of the state. */
  readonly accounts: number;
  readonly random: (below: number) => number;
  /** Delegations that no transaction has ended, the oldest first. */
  readonly openDelegations: OpenDelegation[];
}

interface Kind {
  readonly name: string;
  /** Share of all transactions in per mille. The sum of all shares is 1,000. */
  readonly perMille: number;
  readonly make: (day: Day) => MadeTransaction;
}

/**
 * Transactions of a day. The report "State of TRON Q2 2023" of Messari has 9.1 million transactions a day, and 219,000
 * new accounts a day. 83 % of the transactions are contract calls and TRX transfers. Most of the calls are those of the
 * dollar token. The split below these sums is an estimate. No transaction fails, because figures of failures were not
 * found.
 */
export const dayKinds: readonly Kind[] = [
  { name: 'TRX transfers', perMille: 326, make: (day) => transfer(day, accountOf(day)) },
  { name: 'TRX transfers to new accounts', perMille: 24, make: (day) => transfer(day, newAddress(day)) },
  { name: 'dollar token transfers', perMille: 380, make: tokenTransfer },
  { name: 'token approvals', perMille: 15, make: approval },
  { name: 'swaps', perMille: 35, make: swap },
  { name: 'pool deposits', perMille: 15, make: deposit },
  { name: 'energy delegations', perMille: 75, make: delegation },
  { name: 'ended delegations', perMille: 75, make: endedDelegation },
  { name: 'TRC10 transfers', perMille: 25, make: assetTransfer },
  { name: 'freezes', perMille: 8, make: freeze },
  { name: 'unfreezes', perMille: 6, make: unfreeze },
  { name: 'votes', perMille: 14, make: vote },
  { name: 'permission updates', perMille: 2, make: permissionUpdate },
];

/**
 * Kinds of transactions. Each kind has as many elements as its share per mille, so a random index below 1,000 selects a
 * kind with the right probability.
 */
const kindByLot: readonly Kind[] = dayKinds.flatMap((kind) => Array.from({ length: kind.perMille }, () => kind));

export function makeTransaction(day: Day): MadeTransaction {
  const kind = kindByLot[day.random(kindByLot.length)];
  if (kind === undefined) throw new Error('the shares of the kinds are not 1,000 per mille');
  return kind.make(day);
}

function signerIn({ signers, random }: Day, [from, to]: SignerRange): Signer {
  return signers[from + random(to - from)] as Signer;
}

/** Returns the sender of a payment: half of them are from exchanges and services. */
function sender(day: Day): Signer {
  return signerIn(day, day.random(2) === 0 ? SIGNER_RANGES.busy : SIGNER_RANGES.others);
}

function accountOf({ accounts, random }: Day): Uint8Array {
  return accountAt(random(accounts), accounts);
}

function newAddress({ random }: Day): Uint8Array {
  return Uint8Array.from({ length: 21 }, (_, at) => (at === 0 ? 0x41 : random(256)));
}

function transfer(day: Day, toAddress: Uint8Array): MadeTransaction {
  const signer = sender(day);
  const fields = { ownerAddress: signer.address, toAddress, amount: BigInt(1 + day.random(1_000)) };
  const value = TransferContract.encode(Object.assign(new TransferContract(), fields));
  return { type: 'TransferContract', value, feeLimit: 0n, signer };
}

function call(signer: Signer, contract: DayContract, signature: string, words: readonly Word[]): MadeTransaction {
  const data = callData(contract, signature, words);
  const fields = { ownerAddress: signer.address, contractAddress: contractBytes(contract), data };
  const value = TriggerSmartContract.encode(Object.assign(new TriggerSmartContract(), fields));
  return { type: 'TriggerSmartContract', value, feeLimit: CALL_FEE_LIMIT, signer };
}

/**
 * Seven of ten receivers are exchanges or known accounts. The others are arbitrary accounts; most of them have no
 * balance.
 */
function tokenTransfer(day: Day): MadeTransaction {
  const lot = day.random(10);
  const { busy, others } = SIGNER_RANGES;
  const to = lot < 7 ? signerIn(day, lot < 3 ? busy : others).address : accountOf(day);
  const amount = BigInt(1 + day.random(100_000));
  return call(sender(day), DAY_CONTRACTS.dollar, 'transfer(address,uint256)', [to, amount]);
}

function approval(day: Day): MadeTransaction {
  const { dollar, router } = DAY_CONTRACTS;
  const words = [contractBytes(router), 2n ** 255n + BigInt(day.random(1_000_000))];
  return call(signerIn(day, SIGNER_RANGES.traders), dollar, 'approve(address,uint256)', words);
}

function swap(day: Day): MadeTransaction {
  const { router, dollar, token } = DAY_CONTRACTS;
  const path = day.random(2) === 0 ? [dollar, token] : [token, dollar];
  const signer = signerIn(day, SIGNER_RANGES.traders);
  const deadline = 2n ** 40n;
  // The path is a dynamic array: its offset is in the head of the call data, its length and elements follow the head.
  const head = [BigInt(1_000 + day.random(100_000)), 1n, 5n * 32n, signer.address, deadline];
  const words = [...head, BigInt(path.length), ...path.map(contractBytes)];
  return call(signer, router, 'swapExactTokens(uint256,uint256,address[],address,uint256)', words);
}

function deposit(day: Day): MadeTransaction {
  const signer = signerIn(day, SIGNER_RANGES.traders);
  return call(signer, DAY_CONTRACTS.pool, 'deposit(uint256)', [BigInt(1 + day.random(100_000))]);
}

function delegation(day: Day): MadeTransaction {
  const delegator = signerIn(day, SIGNER_RANGES.delegators);
  const open: OpenDelegation = { delegator, receiver: accountOf(day), balance: BigInt(1 + day.random(1_000)) * TRX };
  day.openDelegations.push(open);
  const { receiver: receiverAddress, balance } = open;
  const fields = { ownerAddress: delegator.address, receiverAddress, balance, resource: ResourceCode.ENERGY };
  const value = DelegateResourceContract.encode(Object.assign(new DelegateResourceContract(), fields));
  return { type: 'DelegateResourceContract', value, feeLimit: 0n, signer: delegator };
}

/** Number of delegations that are not ended: about the delegations of 90 blocks. */
const OPEN_DELEGATIONS = 2_000;

function endedDelegation(day: Day): MadeTransaction {
  const open = day.openDelegations.length > OPEN_DELEGATIONS ? day.openDelegations.shift() : undefined;
  if (open === undefined) return delegation(day);
  const { delegator, receiver: receiverAddress, balance } = open;
  const fields = { ownerAddress: delegator.address, receiverAddress, balance, resource: ResourceCode.ENERGY };
  const value = UnDelegateResourceContract.encode(Object.assign(new UnDelegateResourceContract(), fields));
  return { type: 'UnDelegateResourceContract', value, feeLimit: 0n, signer: delegator };
}

function assetTransfer(day: Day): MadeTransaction {
  const signer = sender(day);
  const amount = BigInt(1 + day.random(1_000));
  const fields = { assetName: TOKEN, ownerAddress: signer.address, toAddress: accountOf(day), amount };
  const value = TransferAssetContract.encode(Object.assign(new TransferAssetContract(), fields));
  return { type: 'TransferAssetContract', value, feeLimit: 0n, signer };
}

function freeze(day: Day): MadeTransaction {
  const signer = signerIn(day, SIGNER_RANGES.others);
  const frozenBalance = BigInt(1 + day.random(100)) * TRX;
  const fields = { ownerAddress: signer.address, frozenBalance, resource: ResourceCode.ENERGY };
  const value = FreezeBalanceV2Contract.encode(Object.assign(new FreezeBalanceV2Contract(), fields));
  return { type: 'FreezeBalanceV2Contract', value, feeLimit: 0n, signer };
}

function unfreeze(day: Day): MadeTransaction {
  const signer = signerIn(day, SIGNER_RANGES.others);
  const fields = { ownerAddress: signer.address, unfreezeBalance: TRX, resource: ResourceCode.BANDWIDTH };
  const value = UnfreezeBalanceV2Contract.encode(Object.assign(new UnfreezeBalanceV2Contract(), fields));
  return { type: 'UnfreezeBalanceV2Contract', value, feeLimit: 0n, signer };
}

function vote(day: Day): MadeTransaction {
  const signer = signerIn(day, SIGNER_RANGES.others);
  const first = day.random(SIGNER_RANGES.witnesses[1]);
  const votes = Array.from({ length: 1 + day.random(5) }, (_, at) => {
    const { address: voteAddress } = day.signers[(first + at) % SIGNER_RANGES.witnesses[1]] as Signer;
    return Object.assign(new VoteWitnessContractVote(), { voteAddress, voteCount: BigInt(1 + day.random(1_000)) });
  });
  const fields = { ownerAddress: signer.address, votes };
  const value = VoteWitnessContract.encode(Object.assign(new VoteWitnessContract(), fields));
  return { type: 'VoteWitnessContract', value, feeLimit: 0n, signer };
}

/** The new permissions keep the key of the account, so that its other transactions stay valid. */
function permissionUpdate(day: Day): MadeTransaction {
  const signer = signerIn(day, SIGNER_RANGES.others);
  const keys = [Object.assign(new Key(), { address: signer.address, weight: 1n })];
  const owner = { type: PermissionPermissionType.Owner, permissionName: 'owner', threshold: 1n, keys };
  const other = Object.assign(new Key(), { address: signerIn(day, SIGNER_RANGES.busy).address, weight: 1n });
  const active = { type: PermissionPermissionType.Active, permissionName: 'active', threshold: 1n, id: 2 };
  const fields = {
    ownerAddress: signer.address,
    owner: Object.assign(new Permission(), owner),
    actives: [Object.assign(new Permission(), active, { operations: OPERATIONS, keys: [...keys, other] })],
  };
  const value = AccountPermissionUpdateContract.encode(Object.assign(new AccountPermissionUpdateContract(), fields));
  return { type: 'AccountPermissionUpdateContract', value, feeLimit: 0n, signer };
}
