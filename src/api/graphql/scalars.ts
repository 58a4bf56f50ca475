import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { decodeBase58Check } from '../../crypto/base58-check.js';
import { addressText } from '../../encoding/address-text.js';
import { isAddress } from '../../primitives/address.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';

/** Parsers and printer of a scalar type. */
interface ScalarParts {
  serialize(value: unknown): unknown;
  parseValue(value: unknown): unknown;
  parseLiteral(node: ValueNode): unknown;
}

/** Returns parsers and printers of the schema's scalar types. @param addressPrefix first byte of addresses */
export function scalars(addressPrefix: number): Readonly<Record<'Long' | 'Bytes' | 'Address' | 'Cursor', ScalarParts>> {
  return {
    Long: scalar(String, readLong),
    Bytes: scalar((value) => (value instanceof Uint8Array ? toHex(value) : value), readBytes),
    Address: scalar(
      (value) => (value instanceof Uint8Array ? addressText(value) : value),
      (value) => readAddressScalar(value, addressPrefix),
    ),
    Cursor: scalar(String, (value) => (typeof value === 'string' ? value : refuse('Cursor', value))),
  };
}

function scalar(serialize: (value: unknown) => unknown, parseValue: (value: unknown) => unknown): ScalarParts {
  const parseLiteral = (node: ValueNode): unknown =>
    node.kind === Kind.STRING || node.kind === Kind.INT ? parseValue(node.value) : refuse(node.kind, 'literal');
  return { serialize, parseValue, parseLiteral };
}

const INT64_TEXT = /^-?\d{1,19}$/;

function readLong(value: unknown): bigint {
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : !INT64_TEXT.test(String(value))) refuse('Long', value);
  const number = BigInt(value as string | number);
  return BigInt.asIntN(64, number) === number ? number : refuse('Long', value);
}

function readBytes(value: unknown): Uint8Array {
  const hex = String(value).replace(/^0x/i, '');
  if (typeof value !== 'string' || hex.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(hex)) refuse('Bytes', value);
  return Buffer.from(hex, 'hex');
}

const HEX_ADDRESS = /^(0x)?([0-9a-f]{40}|[0-9a-f]{42})$/i;

/**
 * Parses an address in Base58Check or hex.
 * @throws {GraphQLError} BAD_VALUE: the value is not an address of this network
 */
export function readAddressScalar(value: unknown, prefix: number): Uint8Array {
  if (typeof value !== 'string') refuse('Address', value);
  if (HEX_ADDRESS.test(value)) {
    const bytes = readBytes(value);
    const full = bytes.length === 20 ? concatBytes(Uint8Array.of(prefix), bytes) : bytes;
    return isAddress(full, prefix) ? full : refuse('Address', value);
  }
  const bytes = decodeBase58Check(value);
  return bytes !== undefined && isAddress(bytes, prefix) ? bytes : refuse('Address', value);
}

function refuse(type: string, value: unknown): never {
  throw new GraphQLError(`invalid value of ${type}: ${String(value).slice(0, 80)}`, {
    extensions: { code: 'BAD_VALUE' },
  });
}
