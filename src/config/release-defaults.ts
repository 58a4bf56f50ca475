import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { present } from '../primitives/assert.js';
import { readHoconFile, readHoconText } from './hocon/hocon.js';
import { mergeValues } from './hocon/hocon-resolver.js';
import { type HoconObject, originText, valueAt } from './hocon/hocon-value.js';

/** Configuration file of the main net. Used if no file is specified and the working directory has no config.conf. */
export const MAIN_NET_FILE = fileURLToPath(new URL('../../config/main.conf', import.meta.url));

/** Rules by which a java-tron release reads its configuration file and its command line. */
interface FileRules {
  /** Keys or sections that the release does not read. They are treated as absent. */
  readonly ignored: readonly string[];
  /** Keys that were added after this release. They are treated as absent. */
  readonly unknown: readonly string[];
  /**
   * Returns the values that the release itself defines for absent keys. They take precedence over the defaults of the
   * key table. Undefined if the release defines no such values.
   */
  readonly defaults: (() => HoconObject) | undefined;
  /** True if every flag takes precedence over its configuration key. The flags are then deprecated. */
  readonly flagsWin: boolean;
  /**
   * True if the whole section `node` must be valid at a reload, not only the peer lists. Reference:
   * NodeConfig.fromConfig.
   */
  readonly readsNodeWhole: boolean;
  /**
   * True if the release binds sections to typed objects. Members of `event.subscribe` then have defaults and types, and
   * an element of `rate.limiter` without a member prevents the start. Reference: ConfigBeanFactory.create.
   */
  readonly bindsSections: boolean;
}

/** Keys that release 4.8.2 removed. Reference: Args and the configuration beans of 4.8.2. */
const REMOVED = [
  ...['net.type', 'storage.index', 'storage.backup', 'node.connection.timeout', 'node.channel.read.timeout'],
  ...['node.discovery.bind.ip', 'node.discovery.public.home.node', 'node.discovery.ping.timeout'],
  ...['node.p2p.pingInterval', 'node.receiveTcpMinDataLength', 'node.tcpNettyWorkThreadNum'],
  ...['node.udpNettyWorkThreadNum', 'node.metrics.storageEnable', 'node.metrics.influxdb', 'actuator.whitelist'],
];

const LATER = [
  ...['node.http.PBFTEnable', 'node.rpc.enable', 'node.rpc.solidityEnable', 'node.rpc.PBFTEnable'],
  ...['node.rpc.maxRstStream', 'node.rpc.secondsPerWindow', 'node.rpc.reflectionService'],
  ...['node.allowShieldedTransactionApi', 'rate.limiter.global.api.qps', 'rate.limiter.apiNonBlocking'],
  ...['node.inactiveThreshold', 'node.maxBlockInvPerSecond', 'node.maxPendingBlockSize', 'node.maxTrxCacheSize'],
  ...['node.unsolidifiedBlockCheck', 'node.maxUnsolidifiedBlocks'],
  ...['rate.limiter.p2p.disconnect', 'rate.limiter.p2p.fetchInvData', 'rate.limiter.p2p.syncBlockChain'],
  ...['committee.pBFTExpireNum', 'vm.constantCallTimeoutMs', 'vm.saveCancelAllUnfreezeV2Details'],
  ...['committee.allowOldRewardOpt', 'committee.allowEnergyAdjustment', 'committee.allowStrictMath'],
  ...['committee.consensusLogicOptimization', 'committee.allowTvmCancun', 'committee.allowTvmBlob'],
  ...['event.subscribe.enable', 'event.subscribe.version', 'event.subscribe.startSyncBlockNum'],
];

const rulesOf482: FileRules = {
  ignored: REMOVED,
  unknown: [],
  defaults: mainNet482,
  flagsWin: true,
  readsNodeWhole: true,
  bindsSections: true,
};

const rules: Readonly<Record<string, FileRules>> = {
  '4.7.2': {
    ignored: [],
    unknown: LATER,
    defaults: undefined,
    flagsWin: false,
    readsNodeWhole: false,
    bindsSections: false,
  },
  '4.8.2': rulesOf482,
  '4.8.2.2': rulesOf482,
  '4.8.2.3': rulesOf482,
};

/** Returns the file rules of a release. @param release valid name of a release */
export function fileRulesOf(release: string): FileRules {
  return present(rules[release], 'the configuration accepts only known releases');
}

/** Returns the content of the file as the release reads it. */
export function asReadBy(root: HoconObject, { ignored, unknown, defaults }: FileRules): HoconObject {
  const read = [...ignored, ...unknown].reduce((object, key) => without(object, key.split('.')), root);
  return defaults === undefined ? read : (mergeValues(defaults(), read) as HoconObject);
}

/** Returns a warning for each key that the release does not read. */
export function ignoredKeys(root: HoconObject, release: string): readonly string[] {
  const { ignored, unknown } = fileRulesOf(release);
  return [...ignored, ...unknown].flatMap((key) => {
    const value = valueAt(root, key);
    return value === undefined ? [] : [`${originText(value.origin)}: ${key} has no effect in release ${release}`];
  });
}

/**
 * Returns the defaults of release 4.8.2. Seed nodes and block 0 are those of the main net's file. Reference:
 * reference.conf.
 */
function mainNet482(): HoconObject {
  const scalars = readHoconText(
    `node {
      listen.port = 18888, p2p.version = 11111, maxFastForwardNum = 4
      connectFactor = 0.6, activeConnectFactor = 0.1
      validateSignThreadNum = ${availableParallelism()}
      fastForward = ["100.27.171.62:18888", "15.188.6.125:18888"]
    }`,
    MAIN_NET_FILE,
  );
  const whole = readHoconFile(MAIN_NET_FILE);
  const fields = new Map(scalars.fields);
  for (const name of ['genesis', 'seed'])
    fields.set(name, present(whole.fields.get(name), 'the file of each release has the section'));
  return { ...scalars, fields };
}

function without(object: HoconObject, [name = '', ...rest]: readonly string[]): HoconObject {
  const member = object.fields.get(name);
  if (member === undefined || (rest.length > 0 && member.kind !== 'object')) return object;
  const fields = new Map(object.fields);
  if (rest.length === 0) fields.delete(name);
  else fields.set(name, without(member as HoconObject, rest));
  return { ...object, fields };
}
