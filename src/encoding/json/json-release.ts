import type { JsonLibrary } from './json-library.js';

/** What readers and printers of JSON take from the release of the reference that this node is. */
export interface JsonRelease {
  readonly json: JsonLibrary;
  /**
   * Objects and arrays inside each other in a message; undefined: as many as Java's stack holds.
   * Reference: JsonFormat
   */
  readonly depthMax: number | undefined;
  /** A Base58Check address that cannot be read is named by its field. Reference: JsonFormat.unescapeBytesSelfType */
  readonly namesBadAddresses: boolean;
  /**
   * Texts that are not as long as an address are none, whatever they are made of.
   * Reference: Commons.decodeFromBase58Check
   */
  readonly checksAddressLength: boolean;
}
