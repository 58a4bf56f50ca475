import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import protobuf from 'protobufjs/minimal.js';
import { recoverLightKey } from './recover-key.js';

const base58check = createBase58check(sha256);
/** Maximum number of stored headers. No reorg is as deep as this. */
const HEADERS_MAX = 1_000;
/** Minimum percentage of the witnesses that have built on a solidified block. Reference: SOLIDIFIED_THRESHOLD. */
const SOLIDIFIED_PERCENT = 70;
const SIGNATURE_BYTES = 65;

export type HeaderFault = 'BAD_HEADER' | 'BAD_SIGNATURE' | 'UNKNOWN_WITNESS' | 'NOT_LINKED';

/** Thrown for an invalid header. The node that sent the header must not be trusted. */
class HeaderError extends Error {
  readonly code: HeaderFault;

  constructor(code: HeaderFault, message: string) {
    super(message);
    this.name = 'HeaderError';
    this.code = code;
  }
}

interface Witness {
  /** Base58Check address of the witness. */
  readonly address: string;
  /** Address of the key with which the witness signs blocks. */
  readonly signer: string;
}

/** A header with a locally verified signature. */
export interface CheckedHeader {
  /** Block id in hex. */
  readonly id: string;
  readonly number: number;
  /** Block time in ms since 1970. */
  readonly timeMs: number;
  readonly parentId: string;
  /** Base58Check address of the witness that produced the block. */
  readonly witness: string;
  /** Address prefix byte of the network. */
  readonly prefix: number;
}

/**
 * The newest headers of a chain, verified without execution of the blocks. Each header must be signed by a witness of
 * the list, and the parent of each header must be the previous header. A block is solidified when 70 % of the witnesses
 * have built on it. This class trusts only the list of witnesses.
 */
export class LightChain {
  private headers: CheckedHeader[] = [];
  private signers = new Map<string, string>();
  /**
   * Signing addresses of the previous list of witnesses, by witness. After a change of the list, these witnesses may
   * still sign the next header.
   */
  private before: ReadonlyMap<string, string> = new Map();
  private solidNumber = 0;

  /**
   * Sets the witnesses that may sign from the next header on. A witness of the previous list may still sign the next
   * header.
   */
  setWitnesses(witnesses: readonly Witness[]): void {
    this.before = this.signers;
    this.signers = new Map(witnesses.map(({ address, signer }) => [address, signer]));
  }

  get head(): CheckedHeader | undefined {
    return this.headers.at(-1);
  }

  /** Stored headers, oldest first. */
  get known(): readonly CheckedHeader[] {
    return this.headers;
  }

  /**
   * Appends a header after the head.
   * @param raw encoded BlockHeader.raw
   * @throws {HeaderError} the header is malformed, is not a child of the head, or its signer may not sign for its
   * witness
   */
  apply(raw: Uint8Array, signature: Uint8Array): CheckedHeader {
    const header = readHeader(raw);
    const { head } = this;
    if (head !== undefined && header.parentId !== head.id)
      throw new HeaderError('NOT_LINKED', `block ${header.number} does not follow block ${head.number}`);
    const signer = signerOf(raw, signature, header.prefix);
    const allowed = [this.signers.get(header.witness), this.before.get(header.witness)];
    if (allowed.every((address) => address === undefined))
      throw new HeaderError('UNKNOWN_WITNESS', `${header.witness} is not an active witness`);
    if (!allowed.includes(signer))
      throw new HeaderError(
        'BAD_SIGNATURE',
        `block ${header.number} is signed by ${signer}, which may not sign for ${header.witness}`,
      );
    this.headers.push(header);
    if (this.headers.length > HEADERS_MAX) this.headers = this.headers.slice(-HEADERS_MAX);
    this.solidify();
    return header;
  }

  /**
   * Reverts the head, at the start of a reorg.
   * @throws {HeaderError} the header is malformed, it is not the head, or the head is solidified
   */
  revert(raw: Uint8Array): CheckedHeader {
    const { id, number } = readHeader(raw);
    const { head } = this;
    if (head === undefined || head.id !== id)
      throw new HeaderError('NOT_LINKED', `cannot revert block ${number}: it is not the head`);
    if (number <= this.solidNumber)
      throw new HeaderError('NOT_LINKED', `block ${number} was reverted although it is solidified`);
    this.headers.pop();
    return head;
  }

  /**
   * The newest solidified block. According to the received headers, 70 % of the witnesses have built on it. Undefined
   * if there are not enough headers.
   */
  get solidified(): CheckedHeader | undefined {
    return this.headers.find(({ number }) => number === this.solidNumber);
  }

  /** Returns true if a block is solidified according to the received headers; undefined if the block is unknown. */
  isSolidified(id: string): boolean | undefined {
    const header = this.headers.find((known) => known.id === id);
    return header && header.number <= this.solidNumber;
  }

  /** Updates the solidified height, which never decreases. Reference: DposService.updateSolidBlock. */
  private solidify(): void {
    const latest = new Map<string, number>();
    for (const { witness, number } of this.headers) latest.set(witness, number);
    const numbers = [...this.signers.keys()].map((witness) => latest.get(witness) ?? 0).sort((a, b) => a - b);
    const number = numbers[Math.trunc(numbers.length * (1 - SOLIDIFIED_PERCENT / 100))] ?? 0;
    this.solidNumber = Math.max(this.solidNumber, number);
  }
}

/** Decodes a header. @throws {HeaderError} BAD_HEADER: the header is malformed */
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
    throw new HeaderError('BAD_HEADER', `malformed header: ${(error as Error).message}`);
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

/**
 * Returns the Base58Check address of the key that signed the header.
 * @throws {HeaderError} BAD_SIGNATURE: the signature is invalid
 */
function signerOf(raw: Uint8Array, signature: Uint8Array, prefix: number): string {
  const recovery = signature[64];
  if (recovery === undefined)
    throw new HeaderError('BAD_SIGNATURE', `invalid signature length ${signature.length}, expected ${SIGNATURE_BYTES}`);
  // The last byte of a signature is the recovery id, or the recovery id plus 27. Values from 31 on mean a compressed
  // key, which does not change the recovered key.
  const header = recovery < 27 ? recovery + 27 : recovery;
  if (header > 34) throw new HeaderError('BAD_SIGNATURE', `invalid recovery id in the signature: ${recovery}`);
  try {
    const key = recoverLightKey(sha256(raw), signature, (header >= 31 ? header - 4 : header) - 27);
    return base58check.encode(Uint8Array.of(prefix, ...keccak_256(key.subarray(1)).subarray(12)));
  } catch (error) {
    throw new HeaderError('BAD_SIGNATURE', `invalid signature: ${(error as Error).message}`);
  }
}
