import { setTimeout as sleep } from 'node:timers/promises';
import RpcClient from '@alicloud/pop-core';
import { DnsPublishError, type DnsZone, providerError, type ZoneChanges, type ZoneRecord } from './dns-zone.js';

const API_VERSION = '2015-01-09';
/** Number of records per page. Reference: AliClient.domainRecordsPageSize. */
const PAGE_RECORDS = 20;
/** Maximum number of pages that are read. These pages can contain more than a hundred times the records of a tree. */
const PAGES_MAX = 25_000;
/** Maximum number of retries of a change. Reference: AliClient. */
const RETRIES_MAX = 3;
/** Delay before each retry of a change, in ms. */
const RETRY_MS = 30;
/** Request timeout, in ms. */
const ANSWER_MS = 10_000;

export interface AlidnsOptions {
  readonly domain: string;
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  /** Host of the API; the default scheme is HTTPS. Configured by `node.dns.aliyunDnsEndpoint`. */
  readonly endpoint: string;
}

interface StoredRecord {
  readonly RecordId: string;
  readonly RR: string;
  readonly Type: string;
  readonly Value?: string;
  readonly TTL: number;
}

interface RecordPage {
  readonly TotalCount: number;
  readonly DomainRecords?: { readonly Record?: readonly StoredRecord[] };
}

/** Manages TXT records at Alibaba Cloud DNS, through its SDK. Reference: AliClient. */
export class AlidnsZone implements DnsZone {
  readonly entryTtlS = 24 * 3600;
  private readonly options: AlidnsOptions;
  private readonly client: RpcClient;
  private isClosed = false;
  /** Record ids by name, from the last call of `records`. */
  private ids: ReadonlyMap<string, string> = new Map();

  constructor(options: AlidnsOptions) {
    const { endpoint, accessKeyId, accessKeySecret } = options;
    this.options = options;
    this.client = new RpcClient({
      endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}`,
      apiVersion: API_VERSION,
      accessKeyId,
      accessKeySecret,
      opts: { timeout: ANSWER_MS },
    });
  }

  /** Sends no request. An invalid access key makes the first publication fail instead. */
  async check(): Promise<void> {}

  async records(): Promise<readonly ZoneRecord[]> {
    const found = new Map<string, ZoneRecord>();
    const ids = new Map<string, string>();
    for (let page = 1; page <= PAGES_MAX; page++) {
      const answer = await this.call<RecordPage>('DescribeDomainRecords', {
        DomainName: this.options.domain,
        Type: 'TXT',
        PageSize: PAGE_RECORDS,
        PageNumber: page,
      });
      for (const { RecordId, RR, Value = '', TTL } of answer.DomainRecords?.Record ?? []) {
        const name = RR.replace(/\.+$/, '');
        ids.set(name, RecordId);
        found.set(name, { name, text: Value, ttlS: TTL });
      }
      if (page * PAGE_RECORDS >= answer.TotalCount) {
        this.ids = ids;
        return [...found.values()];
      }
    }
    throw new DnsPublishError(`zone ${this.options.domain}: more than ${PAGES_MAX} pages of records`);
  }

  async change({ added, updated, deleted }: ZoneChanges): Promise<void> {
    const { domain } = this.options;
    const textOf = ({ name, text, ttlS }: ZoneRecord) => ({ RR: name, Type: 'TXT', Value: text, TTL: ttlS });
    for (const record of added) await this.retried('AddDomainRecord', { DomainName: domain, ...textOf(record) });
    for (const record of updated)
      await this.retried('UpdateDomainRecord', { RecordId: this.ids.get(record.name), ...textOf(record) });
    for (const { name } of deleted) await this.retried('DeleteDomainRecord', { RecordId: this.ids.get(name) });
  }

  close(): void {
    this.isClosed = true;
  }

  private async retried(action: string, params: object): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.call(action, params);
        return;
      } catch (error) {
        if (tries === RETRIES_MAX || this.isClosed) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  private async call<T>(action: string, params: object): Promise<T> {
    const { accessKeyId, accessKeySecret } = this.options;
    if (this.isClosed) throw new DnsPublishError(`Alibaba Cloud DNS ${action}: aborted, the node is shutting down`);
    try {
      return await this.client.request<T>(action, params, { method: 'POST' });
    } catch (error) {
      throw providerError('Alibaba Cloud DNS', action, error, [accessKeySecret, accessKeyId]);
    }
  }
}
