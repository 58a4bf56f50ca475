const ACCOUNT_NAME_BYTES_MAX = 200;
const ACCOUNT_ID_BYTES_MIN = 8;
const ACCOUNT_ID_BYTES_MAX = 32;
const ASSET_NAME_BYTES_MAX = 32;
const DESCRIPTION_BYTES_MAX = 200;
const URL_BYTES_MAX = 256;

/** Returns true for a valid account name. Reference: TransactionUtil.validAccountName. */
export function isAccountName(name: Uint8Array): boolean {
  return name.length <= ACCOUNT_NAME_BYTES_MAX;
}

/** Returns true for a valid account id. Reference: TransactionUtil.validAccountId. */
export function isAccountId(id: Uint8Array): boolean {
  return id.length >= ACCOUNT_ID_BYTES_MIN && isReadable(id, ACCOUNT_ID_BYTES_MAX);
}

/**
 * Returns true for a valid asset name or a valid abbreviation of an asset. Reference: TransactionUtil.validAssetName.
 */
export function isAssetName(name: Uint8Array): boolean {
  return isReadable(name, ASSET_NAME_BYTES_MAX);
}

/** Returns true for a valid asset description. Reference: TransactionUtil.validAssetDescription. */
export function isAssetDescription(description: Uint8Array): boolean {
  return description.length <= DESCRIPTION_BYTES_MAX;
}

/** Returns true for a valid URL. Reference: TransactionUtil.validUrl. */
export function isUrl(url: Uint8Array): boolean {
  return url.length > 0 && url.length <= URL_BYTES_MAX;
}

/** Returns true for a token id: decimal digits without a leading zero. Reference: TransactionUtil.isNumber. */
export function isNumberText(id: Uint8Array): boolean {
  if (id.length === 0 || !id.every((byte) => byte >= 0x30 && byte <= 0x39)) return false;
  return id.length === 1 || id[0] !== 0x30;
}

/** Returns true for 1 to `lengthMax` bytes of visible ASCII. */
function isReadable(bytes: Uint8Array, lengthMax: number): boolean {
  return bytes.length > 0 && bytes.length <= lengthMax && bytes.every((byte) => byte >= 0x21 && byte <= 0x7e);
}
