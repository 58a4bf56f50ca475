import { nearestWord } from '../primitives/nearest-word.js';
import { knownKeys } from './config-table.js';
import { formerKeys } from './former-keys.js';
import { redact } from './hocon/hocon-parser.js';
import { asBoolean, type HoconObject, type HoconValue, originText, valueAt } from './hocon/hocon-value.js';

/** Keys that only later releases read, and keys that java-tron declares but never reads. They have no effect. */
const FOREIGN = new Set([
  'committee.allowCancelAllUnfreezeV2',
  'committee.maxDelegateLockPeriod',
  'committee.allowReceiptsMerkleRoot',
  'committee.allowShieldedTransaction',
  'node.p2pDisable',
]);

/** Keys of java-tron that this node does not need, each with the reason. */
const NEEDLESS: ReadonlyMap<string, string> = new Map([
  [
    'storage.merkleRoot.reward-vi',
    'rewards of old cycles are computed from the state directly, without a separate table',
  ],
  ['storage.txCache.initOptimization', 'known transactions are looked up on disk, so no cache is filled at startup'],
]);

/** Maximum number of warnings about unknown keys. A configuration file of another program has many such keys. */
const UNKNOWN_MAX = 100;

/** Returns a warning for each unknown key. If a known key has a similar spelling, the warning contains this key. */
export function warnUnknownKeys(root: HoconObject): readonly string[] {
  const known = new Map(knownKeys.map((row) => [row.key, row]));
  const groups = new Set(knownKeys.flatMap(({ key }) => parentsOf(key)));
  const warnings: string[] = [];
  let unknown = 0;
  const visit = (value: HoconValue, path: string): void => {
    const row = known.get(path);
    if (row?.open) return;
    if (row?.members) warnings.push(...unknownMembers(value, path, row.members));
    const isGroup = path === '' || groups.has(path);
    if (value.kind === 'object' && value.fields.size > 0 && (isGroup || row === undefined)) {
      for (const [name, member] of value.fields) visit(member, childPath(path, name));
    } else if (isGroup && row === undefined && value.kind !== 'object' && value.kind !== 'null') {
      warnings.push(`${originText(value.origin)}: ${path} has no effect, because it must be an object { … }`);
    } else if (row === undefined && !isGroup && ++unknown <= UNKNOWN_MAX) warnings.push(warning(path, value));
  };
  visit(root, '');
  if (unknown > UNKNOWN_MAX) warnings.push(`${unknown - UNKNOWN_MAX} more keys are unknown`);
  return warnings;
}

/** Returns the path of a member. A name with a dot is one name in quotes, and not a path. */
function childPath(path: string, name: string): string {
  const shown = name.includes('.') ? `"${name}"` : name;
  return path === '' ? shown : `${path}.${shown}`;
}

function warning(path: string, { origin }: HoconValue): string {
  const at = originText(origin);
  const reason = NEEDLESS.get(path);
  if (reason !== undefined) return `${at}: ${path} has no effect here: ${reason}`;
  const last = formerKeys.get(path);
  if (last !== undefined) return `${at}: ${path} is a key of java-tron up to ${last}, has no effect since`;
  if (FOREIGN.has(path)) return `${at}: ${path} is a key of other releases and has no effect`;
  const nearest = nearestWord(
    path,
    knownKeys.map(({ key }) => key),
  );
  return `${at}: unknown key ${redact(path)}, the nearest known one is ${nearest.word}`;
}

function unknownMembers(value: HoconValue, path: string, members: readonly string[]): readonly string[] {
  if (value.kind !== 'list') return [];
  return value.items.flatMap((item, index) => {
    const names = item.kind === 'object' ? [...item.fields.keys()] : [];
    return names
      .filter((name) => !members.includes(name))
      .map((name) => {
        const text = `${originText(item.origin)}: unknown key ${path}[${index}].${redact(name)}`;
        return `${text}, the nearest known one is ${nearestWord(name, members).word}`;
      });
  });
}

function parentsOf(key: string): string[] {
  const names = key.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

/** Keys that the node reads only if another key has a value. */
const DEPENDENT: readonly {
  readonly keys: readonly string[];
  readonly isRead: (root: HoconObject) => boolean;
  readonly needs: string;
}[] = [
  {
    keys: [
      ...['dnsDomain', 'changeThreshold', 'maxMergeSize', 'dnsPrivate', 'knownUrls', 'staticNodes', 'serverType'],
      ...['accessKeyId', 'accessKeySecret', 'aliyunDnsEndpoint', 'awsRegion', 'awsHostZoneId'],
    ].map((name) => `node.dns.${name}`),
    isRead: (root) => {
      const publish = valueAt(root, 'node.dns.publish');
      return publish !== undefined && asBoolean(publish, 'node.dns.publish');
    },
    needs: 'node.dns.publish = true',
  },
  {
    keys: ['node.connectFactor', 'node.activeConnectFactor'],
    isRead: (root) => valueAt(root, 'node.maxActiveNodes') !== undefined,
    needs: 'node.maxActiveNodes',
  },
];

/** Returns a warning for each key that has no effect because of another key. */
export function unusedKeys(root: HoconObject): readonly string[] {
  return DEPENDENT.filter(({ isRead }) => !isRead(root)).flatMap(({ keys, needs }) =>
    keys.flatMap((key) => {
      const value = valueAt(root, key);
      return value === undefined ? [] : [`${originText(value.origin)}: ${key} has no effect without ${needs}`];
    }),
  );
}
