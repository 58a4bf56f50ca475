import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import protobuf from 'protobufjs/minimal.js';
import { recoverLightKey } from './recover-key.js';

const base58check = createBase58check(sha256);
/** Headers kept: more than the chain can take back. */
const HEADERS_MAX = 1_000;
/** Share of the witnesses that must have built on a block. Reference: SOLIDIFIED_THRESHOLD, per cent. */
const SOLIDIFIED_PERCENT = 70;
const SIGNATURE_BYTES = 65;

export type HeaderFault = 'BAD_HEADER' | 'BAD_SIGNATURE' | 'UNKNOWN_WITNESS' | 'NOT_LINKED';

/** A header that proves nothing; whoever sent it is not to be believed. */
class HeaderError extends Error {
  readonly code: HeaderFault;

  constructor(code: HeaderFault, message: string) {
    super(message);
    this.name = 'HeaderError';
    this.code = code;
  }
}

interface Witness {
  /** Base58Check. */
  readonly address: string;
  /** Address of the key that signs for it. */
  readonly signer: string;
}

/** A header whose signature was checked here. */
export interface CheckedHeader {
  /** Hex. */
  readonly id: string;
  readonly number: number;
  /** ms since 1970. */
  readonly timeMs: number;
  readonly parentId: string;
  /** Base58Check. */
  readonly witness: string;
  /** First byte of the network's addresses. */
  readonly prefix: number;
}

/**
 * The end of a chain as one can know it without executing anything: each header is signed by a witness and follows the
 * one before, and a block is irreversible when enough witnesses have built on it. Believes nobody but the list of
 * witnesses.
 */
export class LightChain {
  private headers: CheckedHeader[] = [];
  private signers = new Map<string, string>();
  /** Of the list before: the block of a maintenance is signed by one of them. */
  private before: ReadonlyMap<string, string> = new Map();
  private solidNumber = 0;

  /** Who is active from the next header on: that one may still be of those before, and counts for these. */
  setWitnesses(witnesses: readonly Witness[]): void {
    this.before = this.signers;
    this.signers = new Map(witnesses.map(({ address, signer }) => [address, signer]));
  }

  get head(): CheckedHeader | undefined {
    return this.headers.at(-1);
  }

  /** Oldest first. */
  get known(): readonly CheckedHeader[] {
    return this.headers;
  }

  /** Puts a header on the head. @param raw the message BlockHeader.raw @throws {HeaderError} */
  apply(raw: Uint8Array, signature: Uint8Array): CheckedHeader {
    const header = readHeader(raw);
    const { head } = this;
    if (head !== undefined && header.parentId !== head.id)
      throw new HeaderError('NOT_LINKED', `block ${header.number} does not follow block ${head.number}`);
    const signer = signerOf(raw, signature, header.prefix);
    const allowed = [this.signers.get(header.witness), this.before.get(header.witness)];
    if (allowed.every((address) => address === undefined))
      throw new HeaderError('UNKNOWN_WITNESS', `${header.witness} is no active witness`);
    if (!allowed.includes(signer))
      throw new HeaderError(
        'BAD_SIGNATURE',
        `block ${header.number} is signed by ${signer}, not for ${header.witness}`,
      );
    this.headers.push(header);
    if (this.headers.length > HEADERS_MAX) this.headers = this.headers.slice(-HEADERS_MAX);
    this.solidify();
    return header;
  }

  /**
   * Takes the head back: the chain switches to another branch.
   * @throws {HeaderError} it is another block, or irreversible
   */
  revert(raw: Uint8Array): CheckedHeader {
    const { id, number } = readHeader(raw);
    const { head } = this;
    if (head === undefined || head.id !== id) throw new HeaderError('NOT_LINKED', `block ${number} is not the head`);
    if (number <= this.solidNumber)
      throw new HeaderError('NOT_LINKED', `block ${number} is irreversible and was taken back`);
    this.headers.pop();
    return head;
  }

  /**
   * The newest block that 70 % of the witnesses have built on, by what was seen here; undefined while that is too
   * little.
   */
  get solidified(): CheckedHeader | undefined {
    return this.headers.find(({ number }) => number === this.solidNumber);
  }

  /** Whether a block is irreversible by what was seen here; undefined for one that was never seen. */
  isSolidified(id: string): boolean | undefined {
    const header = this.headers.find((known) => known.id === id);
    return header && header.number <= this.solidNumber;
  }

  /** What was irreversible stays so, whoever becomes a witness. Reference: DposService.updateSolidBlock. */
  private solidify(): void {
    const latest = new Map<string, number>();
    for (const { witness, number } of this.headers) latest.set(witness, number);
    const numbers = [...this.signers.keys()].map((witness) => latest.get(witness) ?? 0).sort((a, b) => a - b);
    const number = numbers[Math.trunc(numbers.length * (1 - SOLIDIFIED_PERCENT / 100))] ?? 0;
    this.solidNumber = Math.max(this.solidNumber, number);
  }
}

/** @throws {HeaderError} BAD_HEADER */
function readHeader(raw: Uint8Array): CheckedHeader {
  let [timeMs, number] = [0, 0];
  let [parent, witness]: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  try {
    const reader = protobuf.Reader.create(raw);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const field = tag >>> 3;
      if (field === 1) timeMs = Number(reader.int64());
      else if (field === 3) parent = reader.bytes();
      else if (field === 7) number = Number(reader.int64());
      else if (field === 9) witness = reader.bytes();
      else reader.skipType(tag & 7);
    }
  } catch (error) {
    throw new HeaderError('BAD_HEADER', `a header cannot be read: ${(error as Error).message}`);
  }
  const id = sha256(raw);
  new DataView(id.buffer).setBigInt64(0, BigInt(number));
  return {
    id: bytesToHex(id),
    number,
    timeMs,
    parentId: bytesToHex(parent),
    witness: base58check.encode(witness),
    prefix: witness[0] ?? 0,
  };
}

/** Address of the key that made a signature, Base58Check. @throws {HeaderError} BAD_SIGNATURE */
function signerOf(raw: Uint8Array, signature: Uint8Array, prefix: number): string {
  const recovery = signature[64];
  if (recovery === undefined)
    throw new HeaderError('BAD_SIGNATURE', `a signature has ${SIGNATURE_BYTES} bytes, not ${signature.length}`);
  // 27 and more, or 0 and more; 31 and more is of a compressed key, which is the same key.
  const header = recovery < 27 ? recovery + 27 : recovery;
  if (header > 34) throw new HeaderError('BAD_SIGNATURE', `header byte out of range: ${header}`);
  try {
    const key = recoverLightKey(sha256(raw), signature, (header >= 31 ? header - 4 : header) - 27);
    return base58check.encode(Uint8Array.of(prefix, ...keccak_256(key.subarray(1)).subarray(12)));
  } catch (error) {
    throw new HeaderError('BAD_SIGNATURE', `nobody made this signature: ${(error as Error).message}`);
  }
}
