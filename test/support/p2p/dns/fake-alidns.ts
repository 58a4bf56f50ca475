import { createHmac } from 'node:crypto';
import type { Test } from 'tap';
import { ACCESS_KEY_ID, type Answer, type ProviderRequest, SECRET, serveApi } from './fake-zone.js';

export interface AliRecord {
  readonly RecordId: string;
  readonly RR: string;
  readonly Type: string;
  readonly Value: string;
  readonly TTL: number;
}

/**
 * Starts a server that behaves as the API reference of Alibaba Cloud DNS describes: RPC calls, signatures of version 1,
 * records in pages.
 */
export async function fakeAlidns(t: Test, domain: string) {
  const stored = new Map<string, AliRecord>();
  const requests: URLSearchParams[] = [];
  const state = { failures: 0, lastId: 0 };
  const answer = ({ method, url, body }: ProviderRequest): Answer => {
    const params = new URLSearchParams(method === 'POST' ? body : url.search);
    requests.push(params);
    if (state.failures > 0) {
      state.failures--;
      return json(503, { Code: 'ServiceUnavailable', Message: 'The request has failed.' });
    }
    if (params.get('Version') !== '2015-01-09') return json(400, { Code: 'InvalidVersion', Message: 'wrong' });
    if (params.get('AccessKeyId') !== ACCESS_KEY_ID)
      return json(404, { Code: 'InvalidAccessKeyId.NotFound', Message: 'Specified access key is not found.' });
    const text = textToSign(method, params);
    if (createHmac('sha1', `${SECRET}&`).update(text).digest('base64') !== params.get('Signature'))
      return json(400, { Code: 'SignatureDoesNotMatch', Message: `not matched. server string to sign is:${text}` });
    return call(params);
  };
  const call = (params: URLSearchParams): Answer => {
    const get = (name: string): string => params.get(name) ?? '';
    const id = get('RecordId');
    const content = { RR: get('RR'), Type: get('Type'), Value: get('Value'), TTL: Number(get('TTL')) };
    switch (get('Action')) {
      case 'DescribeDomainRecords': {
        if (get('DomainName') !== domain) return json(404, { Code: 'InvalidDomainName.NoExist', Message: 'none' });
        const all = [...stored.values()].filter(({ Type }) => Type === get('Type'));
        const size = Number(get('PageSize'));
        const from = (Number(get('PageNumber')) - 1) * size;
        return json(200, { TotalCount: all.length, DomainRecords: { Record: all.slice(from, from + size) } });
      }
      case 'AddDomainRecord': {
        if ([...stored.values()].some(({ RR, Value }) => RR === content.RR && Value === content.Value))
          return json(400, { Code: 'DomainRecordDuplicate', Message: 'The DNS record already exists.' });
        const RecordId = String(++state.lastId);
        stored.set(RecordId, { RecordId, ...content });
        return json(200, { RecordId });
      }
      case 'UpdateDomainRecord':
        if (!stored.has(id)) return json(400, { Code: 'DomainRecordNotBelongToUser', Message: 'none' });
        stored.set(id, { RecordId: id, ...content });
        return json(200, { RecordId: id });
      case 'DeleteDomainRecord':
        return stored.delete(id) ? json(200, { RecordId: id }) : json(400, { Code: 'NotFound', Message: 'none' });
      default:
        return json(404, { Code: 'InvalidAction.NotFound', Message: 'none' });
    }
  };
  return { endpoint: await serveApi(t, answer), stored, requests, state };
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json;charset=utf-8',
  body: JSON.stringify({ RequestId: 'r', ...body }),
});

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function textToSign(method: string, params: URLSearchParams): string {
  const pairs = [...params].filter(([name]) => name !== 'Signature').sort(([a], [b]) => (a < b ? -1 : 1));
  return `${method}&%2F&${encoded(pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))}`;
}
