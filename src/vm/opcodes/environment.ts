import { keccak256 } from '../../crypto/hash.js';
import { toUnsigned } from '../../primitives/bytes.js';
import { INVALID_TOKEN, TOKEN_ID_MIN, tokenBalance } from '../../state-transition/balances/tokens.js';
import { failure, longRange, transferFailed } from '../../state-transition/vm-error.js';
import { keepAbi } from '../machine/contract-rows.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { ADDRESS_MASK } from '../machine/machine.js';
import { wordBehind } from './code-layout.js';
import type { Constant } from './instruction-sets.js';
import type { OpRun, Run } from './op-run.js';

const BLOCK_HASHES = 256;

/**
 * Returns an address as a stack word. Since the multi-sign proposal, the word contains only the last 20 bytes of the
 * address; before, all 21 bytes.
 */
function addressWord({ rules }: Machine, word: bigint): bigint {
  return rules.multiSign ? word & ADDRESS_MASK : word;
}

function coinbaseWord({ block }: Machine): bigint {
  return toUnsigned(block.coinbase);
}

/** Returns the balance in SUN. */
function balanceOf(machine: Machine, word: bigint): bigint {
  return BigInt.asUintN(64, machine.accounts.balance(machine.addressOf(word)));
}

function energyPrice({ state }: Machine): bigint {
  return BigInt.asUintN(64, state.properties.get('ENERGY_FEE'));
}

/** Returns the energy price in contracts created under the compatible EVM rules, and 0 in other contracts. */
function gasPrice(machine: Machine, frame: CallFrame): bigint {
  return machine.rules.compatibleEvm && frame.contractVersion === 1 ? energyPrice(machine) : 0n;
}

/**
 * Returns the chain id: the id of the genesis block. If the compatible EVM rules or the optimized chain id are
 * enabled, returns only the last four bytes of this id. The configuration of a private network can replace the chain
 * id. Reference: Program.getChainId.
 */
function chainId({ state, rules }: Machine): bigint {
  const { genesisId: id, chainId: configured } = state.rules;
  if (configured !== undefined) return BigInt(configured);
  return toUnsigned(rules.compatibleEvm || rules.optimizedChainId ? id.subarray(-4) : id);
}

/** Returns the id of one of the last 256 blocks, and 0 for other heights. Reference: Program.getBlockHash. */
function blockHash({ block }: Machine, index: number): bigint {
  if (index >= block.number || index < Math.max(BLOCK_HASHES, block.number) - BLOCK_HASHES) return 0n;
  const id = block.blockId(index);
  return id === undefined ? 0n : toUnsigned(id);
}

/**
 * Returns the hash of an account's code. Returns 0 if the account does not exist, and the hash of empty code if the
 * account has no contract. If the contract's row does not contain the hash, stores it there. Reference:
 * Program.getCodeHashAt.
 */
function codeHash(machine: Machine, word: bigint): bigint {
  const { state, accounts } = machine;
  const address = machine.addressOf(word);
  if (accounts.get(address) === undefined) return 0n;
  const contract = state.contracts.get(address);
  if (contract === undefined) return toUnsigned(keccak256(new Uint8Array(0)));
  if (contract.codeHash.length > 0) return toUnsigned(contract.codeHash);
  const hash = keccak256(machine.codeOf(address));
  state.contracts.existingToWrite(address).codeHash = hash;
  keepAbi(state, address);
  return toUnsigned(hash);
}

/** Returns a TRC10 balance. Reference: Program.getTokenBalance. @throws {VmError} the token id is invalid */
function tokenBalanceWord(machine: Machine, addressWordOnStack: bigint, tokenId: bigint): bigint {
  const { rules, accounts, state } = machine;
  if (rules.multiSign) {
    const id = BigInt.asIntN(256, tokenId);
    if (BigInt.asIntN(64, id) !== id) throw rules.constantinople ? transferFailed(INVALID_TOKEN) : longRange();
    if (id <= TOKEN_ID_MIN) throw failure(INVALID_TOKEN);
  }
  const address = machine.addressOf(addressWordOnStack);
  const account = accounts.get(address);
  const id = BigInt.asIntN(64, tokenId).toString();
  return account === undefined ? 0n : BigInt.asUintN(64, tokenBalance(state, address, account, id));
}

/** Operations that read the call, accounts and the block. Reference: OperationActions. */
export const environment = {
  address: (run) => run.push(addressWord(run.machine, run.frame.contextWord)),
  balance: (run) => run.push(balanceOf(run.machine, run.pop())),
  origin: (run) => run.push(addressWord(run.machine, run.machine.origin)),
  caller: (run) => run.push(run.frame.caller & ADDRESS_MASK),
  callValue: (run) => run.push(run.frame.callValue),
  callDataLoad,
  callDataSize: (run) => run.push(BigInt(run.frame.data.length)),
  gasPrice: (run) => run.push(gasPrice(run.machine, run.frame)),
  codeSizeOf: (run) => run.push(BigInt(run.machine.codeOf(run.machine.addressOf(run.pop())).length)),
  returnDataSize: (run) => run.push(BigInt(run.frame.returnBuffer.length)),
  codeHashOf: (run) => run.push(codeHash(run.machine, run.pop())),
  blockHash: (run) => run.push(blockHash(run.machine, run.popInt())),
  coinbase: (run) => run.push(coinbaseWord(run.machine)),
  timestamp: (run) => run.push(BigInt(run.machine.block.timestamp)),
  number: (run) => run.push(BigInt(run.machine.block.number)),
  chainId: (run) => run.push(chainId(run.machine)),
  selfBalance: (run) => run.push(balanceOf(run.machine, run.frame.contextWord)),
  baseFee: (run) => run.push(energyPrice(run.machine)),
  /** Always 0, because TRON transactions have no blobs. */
  blobHash(run) {
    run.pop();
    run.push(0n);
  },
  memorySize: (run) => run.push(BigInt(run.frame.memory.size)),
  energyLeft: (run) => run.push(BigInt(run.frame.energyLeft)),
  tokenBalance: (run) => {
    const tokenId = run.pop();
    run.push(tokenBalanceWord(run.machine, run.pop(), tokenId));
  },
  callTokenValue: (run) => run.push(run.frame.tokenValue),
  callTokenId: (run) => run.push(run.frame.tokenId),
  isContract: (run) => run.pushBoolean(run.machine.state.contracts.has(run.machine.addressOf(run.pop()))),
} satisfies Record<string, Run>;

const zero: Constant = { word: () => 0n };

/** Operations whose result depends only on the code and the code offset. Reference: OperationActions. */
export const constants = {
  push: { word: wordBehind },
  codeSize: { word: (code) => BigInt(code.length) },
  programCounter: { word: (_, pc) => BigInt(pc) },
  difficulty: zero,
  gasLimit: zero,
  blobBaseFee: zero,
} satisfies Record<string, Constant>;

function callDataLoad(run: OpRun): void {
  const index = run.pop();
  const { data } = run.frame;
  const word = new Uint8Array(32);
  if (index < BigInt(data.length)) word.set(data.subarray(Number(index), Number(index) + 32));
  run.push(toUnsigned(word));
}
