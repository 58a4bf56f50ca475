import type { JsonLibrary } from './json-library.js';

/** Release-dependent settings of JSON parsers and printers. */
export interface JsonRelease {
  readonly json: JsonLibrary;
  /**
   * Maximum nesting depth in a message; undefined for the depth of Java's stack.
   * Reference: JsonFormat
   */
  readonly depthMax: number | undefined;
  /**
   * True if errors for an invalid Base58Check address have the field name. Reference: JsonFormat.unescapeBytesSelfType
   */
  readonly namesBadAddresses: boolean;
  /**
   * True if texts with another length than an address are not decoded.
   * Reference: Commons.decodeFromBase58Check
   */
  readonly checksAddressLength: boolean;
}
