import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  type HostedZone,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { present } from '../../../primitives/assert.js';
import {
  DnsPublishError,
  type DnsZone,
  providerError,
  ROOT_NAME,
  type ZoneChanges,
  type ZoneRecord,
} from './dns-zone.js';

/** Maximum number of characters of the values in one request. An upsert counts twice. Reference: AwsClient. */
const BATCH_CHARACTERS = 32_000;
/** Maximum number of changes in one request. An upsert counts twice. */
const BATCH_ITEMS = 1000;
/** Maximum number of characters of one string in a TXT record. Reference: AwsClient.splitTxt. */
const STRING_CHARACTERS = 253;
/** Maximum number of status queries of a change. Reference: AwsClient.submitChanges. */
const POLLS_MAX = 60;
/** Time between two status queries, in ms. */
const POLL_MS = 15_000;
/** Maximum number of zone pages read, with 100 records each. It covers over a hundred times the records of a tree. */
const PAGES_MAX = 5000;

export interface Route53Options {
  readonly domain: string;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly region: string;
  /** Id of the hosted zone. If undefined, the zone that contains the domain is used. */
  readonly zoneId: string | undefined;
  /** Endpoint of the API. Set only by tests. */
  readonly endpoint?: string;
  /** Time between two status queries, in ms. Set only by tests. */
  readonly pollMs?: number;
}

/** Manages TXT records at Amazon Route 53, through its SDK. Reference: AwsClient. */
export class Route53Zone implements DnsZone {
  readonly entryTtlS = 7 * 24 * 3600;
  private readonly options: Route53Options;
  private readonly client: Route53Client;
  private readonly isClosed = new AbortController();
  private readonly domain: string;
  private zoneId: string | undefined;
  /** Record sets by name, from the last call of `records`. A delete request must contain the complete set. */
  private stored: ReadonlyMap<string, ResourceRecordSet> = new Map();

  constructor(options: Route53Options) {
    const { domain, accessKeyId, accessKeySecret, region, zoneId, endpoint } = options;
    this.options = options;
    this.domain = plain(domain);
    this.zoneId = zoneId;
    this.client = new Route53Client({
      region,
      credentials: { accessKeyId, secretAccessKey: accessKeySecret },
      ...(endpoint !== undefined && { endpoint }),
    });
  }

  async check(): Promise<void> {
    await this.hostedZones(() => false);
  }

  async records(): Promise<readonly ZoneRecord[]> {
    const HostedZoneId = await this.zone();
    const stored = new Map<string, ResourceRecordSet>();
    let input: ListResourceRecordSetsCommandInput = { HostedZoneId };
    for (let page = 0; page < PAGES_MAX; page++) {
      const answer = await this.call('ListResourceRecordSets', () =>
        this.client.send(new ListResourceRecordSetsCommand(input), this.signal()),
      );
      for (const set of answer.ResourceRecordSets ?? [])
        if (set.Type === 'TXT' && isWithin(set.Name ?? '', this.domain)) stored.set(this.nameOf(set), set);
      if (answer.IsTruncated !== true) {
        this.stored = stored;
        return [...stored].map(([name, set]) => ({ name, text: textOf(set), ttlS: Number(set.TTL) }));
      }
      input = {
        HostedZoneId,
        StartRecordName: answer.NextRecordName,
        StartRecordType: answer.NextRecordType,
        StartRecordIdentifier: answer.NextRecordIdentifier,
      };
    }
    throw new DnsPublishError(`zone of ${this.domain}: more than ${PAGES_MAX} pages of records`);
  }

  async change({ added, updated, deleted }: ZoneChanges, comment: string): Promise<void> {
    const changes: readonly Change[] = [
      ...added.map((record) => this.changeTo('CREATE', record)),
      ...updated.map((record) => this.changeTo('UPSERT', record)),
      ...deleted.flatMap(({ name }): Change[] => {
        const set = this.stored.get(name);
        return set === undefined ? [] : [{ Action: 'DELETE', ResourceRecordSet: set }];
      }),
    ];
    const batches = batchesOf(changes);
    const HostedZoneId = await this.zone();
    const ids: (string | undefined)[] = [];
    for (const [at, batch] of batches.entries()) {
      const Comment = `${comment} (${at + 1}/${batches.length})`;
      const command = new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Comment, Changes: batch } });
      const answer = await this.call('ChangeResourceRecordSets', () => this.client.send(command, this.signal()));
      ids.push(answer.ChangeInfo?.Id);
    }
    for (const id of ids) await this.untilEverywhere(id);
  }

  close(): void {
    this.isClosed.abort();
    this.client.destroy();
  }

  private changeTo(Action: 'CREATE' | 'UPSERT', { name, text, ttlS }: ZoneRecord): Change {
    const Name = name === ROOT_NAME ? this.domain : `${name}.${this.domain}`;
    const ResourceRecords = [{ Value: quoted(text) }];
    return { Action, ResourceRecordSet: { Name, Type: 'TXT', TTL: ttlS, ResourceRecords } };
  }

  private async untilEverywhere(Id: string | undefined): Promise<void> {
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      const answer = await this.call('GetChange', () => this.client.send(new GetChangeCommand({ Id }), this.signal()));
      if (answer.ChangeInfo?.Status === 'INSYNC') return;
      await this.call('GetChange', () => sleep(this.options.pollMs ?? POLL_MS, undefined, this.abortable()));
    }
  }

  private async zone(): Promise<string> {
    if (this.zoneId === undefined) {
      const found = await this.hostedZones(({ Name }) => isWithin(this.domain, plain(Name ?? '')));
      // Route 53 returns ids of the form `/hostedzone/Z0404776204LVYA8EZNVH`.
      this.zoneId = found?.Id?.split('/').at(-1);
    }
    if (this.zoneId === undefined) throw new DnsPublishError(`Route 53: no hosted zone found for ${this.domain}`);
    return this.zoneId;
  }

  private async hostedZones(matches: (zone: HostedZone) => boolean): Promise<HostedZone | undefined> {
    let input = {};
    for (let page = 0; page < PAGES_MAX; page++) {
      const command = new ListHostedZonesByNameCommand(input);
      const answer = await this.call('ListHostedZonesByName', () => this.client.send(command, this.signal()));
      const found = answer.HostedZones?.find(matches);
      if (found !== undefined || answer.IsTruncated !== true) return found;
      input = { DNSName: answer.NextDNSName, HostedZoneId: answer.NextHostedZoneId };
    }
    return undefined;
  }

  private async call<T>(name: string, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      const { accessKeyId, accessKeySecret } = this.options;
      throw providerError('Route 53', name, error, [accessKeySecret, accessKeyId]);
    }
  }

  private nameOf({ Name = '' }: ResourceRecordSet): string {
    const name = plain(Name);
    return name === this.domain ? ROOT_NAME : name.slice(0, -this.domain.length - 1);
  }

  private signal() {
    return { abortSignal: this.isClosed.signal };
  }

  private abortable() {
    return { signal: this.isClosed.signal };
  }
}

/** Returns a name in lower case, without its trailing dot. */
function plain(name: string): string {
  return name.replace(/\.+$/, '').toLowerCase();
}

function isWithin(name: string, domain: string): boolean {
  return `.${plain(name)}`.endsWith(`.${domain}`);
}

function quoted(text: string): string {
  let strings = '';
  for (let from = 0; from < text.length; from += STRING_CHARACTERS)
    strings += `"${text.slice(from, from + STRING_CHARACTERS)}"`;
  return strings;
}

/** Returns the joined strings of a set. The provider may split a value into several quoted strings. */
function textOf({ ResourceRecords = [] }: ResourceRecordSet): string {
  return ResourceRecords.map(({ Value = '' }) => Value.replace(/"\s*"/g, '').replaceAll('"', '')).join('');
}

/** Splits changes into requests that respect the limits. Reference: AwsClient.splitChanges. */
function batchesOf(changes: readonly Change[]): readonly Change[][] {
  const batches: Change[][] = [];
  let [items, characters] = [BATCH_ITEMS, 0];
  for (const change of changes) {
    const times = change.Action === 'UPSERT' ? 2 : 1;
    const values = change.ResourceRecordSet?.ResourceRecords ?? [];
    const size = times * values.reduce((sum, { Value = '' }) => sum + Value.length, 0);
    if (items + times > BATCH_ITEMS || characters + size > BATCH_CHARACTERS) {
      batches.push([]);
      [items, characters] = [0, 0];
    }
    present(batches.at(-1), 'the first change starts a batch').push(change);
    items += times;
    characters += size;
  }
  return batches;
}
