import { createHash, createHmac } from 'node:crypto';
import type { Test } from 'tap';
import { ACCESS_KEY_ID, type Answer, type ProviderRequest, SECRET, serveApi } from './fake-zone.js';

const ZONE = 'Z0404776204LVYA8EZNVH';
const PAGE = 7;
const NAMESPACE = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

export interface Stored {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly value: string;
}

/**
 * Starts a server that behaves as the API reference of Amazon Route 53 describes: XML, signatures of version 4, records
 * in pages. Changes stay pending for some time.
 */
export async function fakeRoute53(t: Test, zoneName = 'example.org.') {
  const stored = new Map<string, Stored>();
  const requests: ProviderRequest[] = [];
  const state = { refusals: 0, batches: [] as string[][] };
  const pending = new Set<string>();
  const answer = (request: ProviderRequest): Answer => {
    requests.push(request);
    if (state.refusals > 0) {
      state.refusals--;
      return failure(400, 'PriorRequestNotComplete', 'The request was rejected');
    }
    if (!request.headers.authorization?.includes(`Credential=${ACCESS_KEY_ID}/`))
      return failure(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
    if (!isSigned(request)) return failure(403, 'SignatureDoesNotMatch', `wrong signature of ${ACCESS_KEY_ID}`);
    const path = request.url.pathname.replace(/\/$/, '');
    if (path === '/2013-04-01/hostedzonesbyname') return zones(request.url.searchParams);
    if (path === `/2013-04-01/hostedzone/${ZONE}/rrset`)
      return request.method === 'POST' ? change(request.body) : page(request.url.searchParams);
    const id = path.replace('/2013-04-01/change/', '');
    // The first request for a change returns PENDING, the next one returns INSYNC.
    return xml('GetChangeResponse', info(id, pending.delete(id) ? 'PENDING' : 'INSYNC'));
  };
  /** Returns a page of zones. The zone of the test is on the second page. */
  const zones = (query: URLSearchParams): Answer => {
    const zone = (id: string, name: string): string =>
      `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}</Name><CallerReference>c</CallerReference></HostedZone>`;
    const isSecond = query.get('hostedzoneid') === ZONE && query.get('dnsname') === zoneName;
    const next = `<NextDNSName>${zoneName}</NextDNSName><NextHostedZoneId>${ZONE}</NextHostedZoneId>`;
    const found = isSecond ? zone(ZONE, zoneName) : zone('Z1', 'another.org.');
    return xml(
      'ListHostedZonesByNameResponse',
      `<HostedZones>${found}</HostedZones><IsTruncated>${!isSecond}</IsTruncated><MaxItems>1</MaxItems>${isSecond ? '' : next}`,
    );
  };
  const page = (query: URLSearchParams): Answer => {
    const all = [...stored.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const from = all.findIndex((one) => keyOf(one) >= `${query.get('name') ?? ''} ${query.get('type') ?? ''}`);
    const shown = from < 0 ? [] : all.slice(from, from + PAGE);
    const next = from < 0 ? undefined : all[from + PAGE];
    const sets = shown.map(
      ({ name, type, ttl, value }) =>
        `<ResourceRecordSet><Name>${name}</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords><ResourceRecord>` +
        `<Value>${value.replaceAll('"', '&quot;')}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`,
    );
    const more = next && `<NextRecordName>${next.name}</NextRecordName><NextRecordType>${next.type}</NextRecordType>`;
    return xml(
      'ListResourceRecordSetsResponse',
      `<ResourceRecordSets>${sets.join('')}</ResourceRecordSets><IsTruncated>${next !== undefined}</IsTruncated>` +
        `<MaxItems>${PAGE}</MaxItems>${more ?? ''}`,
    );
  };
  const change = (body: string): Answer => {
    const changes = body.split('<Change>').slice(1);
    const characters = changes.reduce((sum, one) => sum + field(one, 'Value').length * weight(one), 0);
    const items = changes.reduce((sum, one) => sum + weight(one), 0);
    if (characters > 32_000 || items > 1000) return failure(400, 'InvalidChangeBatch', 'too large');
    const after = new Map(stored);
    for (const one of changes) {
      const record = {
        name: `${field(one, 'Name').replace(/\.$/, '')}.`,
        type: field(one, 'Type'),
        ttl: Number(field(one, 'TTL')),
        value: field(one, 'Value'),
      };
      const key = keyOf(record);
      const action = field(one, 'Action');
      if (action === 'CREATE' && after.has(key)) return failure(400, 'InvalidChangeBatch', `${key} already exists`);
      if (action === 'DELETE' && JSON.stringify(after.get(key)) !== JSON.stringify(record))
        return failure(400, 'InvalidChangeBatch', `${key} was not found`);
      if (action === 'DELETE') after.delete(key);
      else after.set(key, record);
    }
    stored.clear();
    for (const [key, record] of after) stored.set(key, record);
    state.batches.push(changes.map((one) => `${field(one, 'Action')} ${field(one, 'Name')}`));
    const id = `C${state.batches.length}`;
    pending.add(id);
    return xml('ChangeResourceRecordSetsResponse', info(id, 'PENDING'));
  };
  return { endpoint: await serveApi(t, answer), stored, requests, state };
}

const keyOf = ({ name, type }: { readonly name: string; readonly type: string }): string => `${name} ${type}`;

const weight = (change: string): number => (field(change, 'Action') === 'UPSERT' ? 2 : 1);

function field(text: string, name: string): string {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '';
  return found.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

const info = (id: string, status: string): string =>
  `<ChangeInfo><Id>/change/${id}</Id><Status>${status}</Status><SubmittedAt>2026-01-01T00:00:00Z</SubmittedAt></ChangeInfo>`;

const xml = (name: string, body: string, status = 200): Answer => ({
  status,
  type: 'text/xml',
  body: `<?xml version="1.0"?><${name} ${NAMESPACE}>${body}</${name}>`,
});

const failure = (status: number, code: string, text: string): Answer =>
  xml(
    'ErrorResponse',
    `<Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error><RequestId>r</RequestId>`,
    status,
  );

/** Returns true if a request has a valid signature of version 4. */
function isSigned({ method, url, headers, body }: ProviderRequest): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
  const query = [...url.searchParams].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query.sort().join('&'), signed.join(''), names, sha(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha(canonical)].join('\n');
  const hmac = (key: Buffer | string, part: string): Buffer => createHmac('sha256', key).update(part).digest();
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${SECRET}`);
  return hmac(key, text).toString('hex') === signature;
}
