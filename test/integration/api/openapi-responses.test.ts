import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { openApiDocument } from '../../../src/api/openapi/document.js';
import { apiRelease } from '../../../src/api/releases/releases.js';
import { readLines } from '../../conformance/recording.js';
import { golden } from '../../support/tronicle.js';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: object; additionalProperties?: false }>>;
  };
}

const document = openApiDocument({
  ports: { fullnode: 8090, solidity: 8091, pbft: 8092 },
  disabled: [],
  release: apiRelease('4.7.2'),
  hasV1: false,
}) as Document;
// The published schemas allow fields that they do not list. This test rejects such fields.
for (const schema of Object.values(document.components.schemas))
  if (schema.properties !== undefined) schema.additionalProperties = false;
const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } }).addSchema(document, 'document');

/** Returns the first fault of a response; an empty text if the document describes the response. */
function faultsOf(path: string, method: string, response: unknown): string {
  const steps = ['paths', path, method, 'responses', '200', 'content', 'application/json', 'schema'];
  const reference = steps.map((step) => step.replaceAll('/', '~1')).join('/');
  const validate = ajv.getSchema(`document#/${reference}`);
  if (validate === undefined) return 'no schema';
  if (validate(response) === true) return '';
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
}

t.test('describes every recorded response of java-tron', async (t) => {
  const faults = new Map<string, string>();
  const checked = new Set<string>();
  let count = 0;
  for await (const { method, path: url, status, response } of readLines<Recorded>(join(golden, 'off/http.ndjson.gz'))) {
    const [path = ''] = url.split('?');
    const verb = method.toLowerCase();
    if (status !== 200 || response === '' || document.paths[path]?.[verb] === undefined) continue;
    const found = faultsOf(path, verb, JSON.parse(response));
    count++;
    checked.add(path);
    if (found !== '') faults.set(path, `${found}: ${response.slice(0, 100)}`);
  }
  t.same(Object.fromEntries(faults), {});
  t.ok(count > 16_000, `${count} responses`);
  t.ok(checked.size > 150, `${checked.size} paths`);
});

t.test('finds a field that is missing in a schema, and a field of another type', async (t) => {
  t.equal(faultsOf('/wallet/getnowblock', 'get', { blockID: '00', transactions: [] }), '');
  t.match(faultsOf('/wallet/getnowblock', 'get', { blockID: 1 }), /must be string/);
  t.match(faultsOf('/wallet/getnowblock', 'get', { blockId: '00' }), /must NOT have additional properties/);
  const contract = { parameter: { value: 1, type_url: '' }, type: 'TransferContract' };
  t.match(faultsOf('/wallet/gettransactionbyid', 'post', { raw_data: { contract: [contract] } }), /must be object/);
  t.match(faultsOf('/wallet/gettransactioninfobyblocknum', 'post', [{ fees: 1 }]), /must NOT have additional/);
});

t.test('names every schema after its message', async (t) => {
  const misnamed = Object.keys(document.components.schemas).filter((name) => !/^[A-Z]/.test(name));
  t.same(misnamed, []);
});
