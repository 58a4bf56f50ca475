import type { RuleSet } from '../machine/rule-set.js';
import { blake2F } from './blake2f.js';
import { bnAdd, bnMultiply, bnPairing } from './bn128.js';
import * as getters from './getters.js';
import { identity, ripemd160, sha256Contract, shaTwice } from './hashes.js';
import { modExp } from './mod-exp.js';
import { p256Verify } from './p256.js';
import type { Precompile } from './precompile.js';
import { merkleHash, verifyBurnProof, verifyMintProof, verifyTransferProof } from './shielded.js';
import { batchValidateSign, ecRecover, validateMultiSign } from './signatures.js';

type Row = readonly [address: number, precompile: Precompile, since?: keyof RuleSet];

/** All precompiles by address. Reference: PrecompiledContracts.getContractForAddress. */
export const precompileRows: readonly Row[] = [
  [0x01, ecRecover],
  [0x02, sha256Contract],
  [0x03, shaTwice],
  [0x04, identity],
  [0x05, modExp],
  [0x06, bnAdd],
  [0x07, bnMultiply],
  [0x08, bnPairing],
  [0x09, batchValidateSign, 'solidity059'],
  [0x0a, validateMultiSign, 'solidity059'],
  [0x100, p256Verify, 'osaka'],
  [0x20003, ripemd160, 'compatibleEvm'],
  [0x20009, blake2F, 'compatibleEvm'],
  [0x1000001, verifyMintProof, 'shieldedTrc20'],
  [0x1000002, verifyTransferProof, 'shieldedTrc20'],
  [0x1000003, verifyBurnProof, 'shieldedTrc20'],
  [0x1000004, merkleHash, 'shieldedTrc20'],
  [0x1000005, getters.rewardBalance, 'vote'],
  [0x1000006, getters.isSrCandidate, 'vote'],
  [0x1000007, getters.voteCount, 'vote'],
  [0x1000008, getters.usedVoteCount, 'vote'],
  [0x1000009, getters.receivedVoteCount, 'vote'],
  [0x100000a, getters.totalVoteCount, 'vote'],
  [0x100000b, getters.chainParameter, 'freezeV2'],
  [0x100000c, getters.availableUnfreezeV2Size, 'freezeV2'],
  [0x100000d, getters.unfreezableBalanceV2, 'freezeV2'],
  [0x100000e, getters.expireUnfreezeBalanceV2, 'freezeV2'],
  [0x100000f, getters.delegatableResource, 'freezeV2'],
  [0x1000010, getters.resourceV2, 'freezeV2'],
  [0x1000011, getters.checkUndelegateResource, 'freezeV2'],
  [0x1000012, getters.resourceUsage, 'freezeV2'],
  [0x1000013, getters.totalResource, 'freezeV2'],
  [0x1000014, getters.totalDelegatedResource, 'freezeV2'],
  [0x1000015, getters.totalAcquiredResource, 'freezeV2'],
];

const byAddress = new Map(precompileRows.map((row) => [row[0], row]));

/**
 * Returns the precompile at an address if the rules enable it, otherwise undefined. All 256 bits of the word must
 * match.
 */
export function findPrecompile(address: bigint, rules: RuleSet): Precompile | undefined {
  if (address > 0x1000015n) return undefined;
  const row = byAddress.get(Number(address));
  if (row === undefined) return undefined;
  return row[2] === undefined || rules[row[2]] === true ? row[1] : undefined;
}
