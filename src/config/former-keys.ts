/**
 * Keys that java-tron 4.7.2 no longer reads. The value is the last release since 3.5 that read the key. Configuration
 * files of operators still contain such keys. Source: the constants and `config.conf` of every tagged release from 3.5
 * to 4.8.0.
 */
export const formerKeys: ReadonlyMap<string, string> = new Map([
  ['sync.node.count', '3.5.1'],
  ['private.key', '3.6.6'],
  ['storage.directory', '4.1.1'],
  ['committee.allowTvmAssetIssue', '4.2.2.1'],
  ['committee.allowTvmStake', '4.2.2.1'],
  ['node.disconnectNumberFactor', '4.5.1'],
  ['node.maxConnectNumberFactor', '4.5.1'],
  ['storage.db.version', '4.6.0'],
]);
