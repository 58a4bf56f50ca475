import type { ApiRelease } from './api-release.js';
import { NO_RPC_LIMITS } from './rpc-limits.js';

/** Behaviour of java-tron 4.7.2. */
const release472: ApiRelease = {
  name: '4.7.2',
  versionNumber: '17686',
  json: 'fastjson',
  depthMax: undefined,
  namesBadAddresses: false,
  checksAddressLength: false,
  readsForms: false,
  absentNumbersAreZero: false,
  takesOwnerAddress: false,
  addressByType: false,
  pricesAreMessage: false,
  bodyBytesMax: undefined,
  quotesInt64: false,
  readsQueryFirst: false,
  switchesPorts: false,
  timesConstantCalls: false,
  hasLaterMetrics: false,
  stopsWithoutPort: false,
  reportsReapplied: false,
  admission: { interfaceFirst: false, fallbackQps: 100, hasLaterKeys: false, stopsAtBadLimits: false },
  grpc: { reportsFaults: false },
  checksSignatures: false,
  namesSizes: false,
  checksRpcArguments: false,
  readsInput: false,
  timesLogs: false,
  hasBlockReceipts: false,
  showsRevertData: false,
  rpcLimits: NO_RPC_LIMITS,
  ownRpcEnvelope: false,
  knowsFinalityTags: false,
  transactionNonce: '0x0000000000000000',
  javaVersion: '1.8',
  committeeOpensShielded: true,
  laterTriggers: false,
  hasEventService: false,
  hasLaterQueries: false,
  checksBroadcastLast: false,
  hasInflux: true,
  hasReflection: false,
  grpcUnknownText: '',
  shieldedByDefault: true,
  refusesScanEvents: false,
  bindsBurns: false,
  checksNotes: false,
  shieldedRefusal: 'ShieldedTransactionApi is not allowed',
};

/** Behaviour of java-tron 4.8.2. */
const release482: ApiRelease = {
  name: '4.8.2',
  versionNumber: '18643',
  json: 'jackson',
  depthMax: 20,
  namesBadAddresses: true,
  checksAddressLength: true,
  readsForms: true,
  absentNumbersAreZero: true,
  takesOwnerAddress: true,
  addressByType: true,
  pricesAreMessage: true,
  bodyBytesMax: 4_194_304,
  quotesInt64: true,
  readsQueryFirst: true,
  switchesPorts: true,
  timesConstantCalls: true,
  hasLaterMetrics: true,
  stopsWithoutPort: true,
  reportsReapplied: true,
  admission: { interfaceFirst: true, fallbackQps: undefined, hasLaterKeys: true, stopsAtBadLimits: true },
  grpc: { reportsFaults: true },
  checksSignatures: true,
  namesSizes: true,
  checksRpcArguments: true,
  readsInput: true,
  timesLogs: true,
  hasBlockReceipts: true,
  showsRevertData: true,
  rpcLimits: {
    maxBlockRange: 5_000,
    maxSubTopics: 1_000,
    maxAddressSize: 1_000,
    maxLogFilterNum: 20_000,
    maxBlockFilterNum: 50_000,
    maxBatchSize: 100,
    maxResponseSize: 26_214_400,
  },
  ownRpcEnvelope: true,
  knowsFinalityTags: true,
  transactionNonce: '0x0',
  javaVersion: '17',
  committeeOpensShielded: false,
  laterTriggers: true,
  hasEventService: true,
  hasLaterQueries: true,
  checksBroadcastLast: true,
  hasInflux: false,
  hasReflection: true,
  grpcUnknownText: 'Application error processing RPC',
  shieldedByDefault: false,
  refusesScanEvents: true,
  bindsBurns: true,
  checksNotes: true,
  shieldedRefusal: 'Shielded transaction API is disabled; set node.allowShieldedTransactionApi=true to enable.',
};

/** Behaviour of java-tron 4.8.2.2. It differs from 4.8.2 only in the version number and in rules of the chain. */
const release4822: ApiRelease = { ...release482, name: '4.8.2.2', versionNumber: '18828' };

/** Behaviour of java-tron 4.8.2.3. Its version number is unknown, so the number of the previous release is used. */
const release4823: ApiRelease = { ...release4822, name: '4.8.2.3' };

const releases = new Map([release472, release482, release4822, release4823].map((release) => [release.name, release]));

/** Returns the release with a name. @throws {RangeError} the name is unknown */
export function apiRelease(name: string): ApiRelease {
  const release = releases.get(name);
  if (release === undefined) throw new RangeError(`unknown release ${name}`);
  return release;
}
