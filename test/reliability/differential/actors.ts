import { createHash } from 'node:crypto';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { keyAddress } from '../../../src/crypto/key-address.js';
import { type Address, toAddress } from '../../../src/primitives/address.js';

/** An account with a known key. */
export interface Actor {
  readonly key: Uint8Array;
  readonly bytes: Uint8Array;
  readonly address: Address;
  readonly base58: string;
}

const PREFIX = 0x41;

function actor(name: string): Actor {
  const key = createHash('sha256').update(`tronicle differential ${name}`).digest();
  const bytes = keyAddress(key, PREFIX);
  return { key, bytes, address: toAddress(bytes), base58: encodeBase58Check(bytes) };
}

const many = (name: string, count: number): readonly Actor[] =>
  Array.from({ length: count }, (_, at) => actor(`${name} ${at}`));

/** 131 witnesses: more than the 127 that share the standby rewards. */
const all = many('witness', 131);
/** Witnesses of a chain in which all witnesses are active. */
export const witnesses = all.slice(0, 5);
/** Witnesses of a chain with more witnesses than can be active. Many have equal votes. */
export const crowd = all;
export const rich = many('rich', 9);
/** Accounts with so little TRX that they often cannot pay fees. */
export const poor = many('poor', 4);
/** Accounts that do not exist at the start of a chain. Their keys are known. */
export const unborn = many('unborn', 6);
export const founders = { zion: actor('zion'), sun: actor('sun'), blackhole: actor('blackhole') } as const;

export const everybody: readonly Actor[] = [...rich, ...poor, ...witnesses, ...unborn];
const known = new Map([...everybody, ...crowd].map((each) => [each.address, each]));

export function actorOf(address: Address): Actor | undefined {
  return known.get(address);
}
