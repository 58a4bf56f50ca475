import { readFileSync } from 'node:fs';
import t from 'tap';
import { allRpcEndpoints } from '../../../../src/api/endpoints/endpoint-table.js';
import { answerCall, findMethod } from '../../../../src/api/grpc/answer-call.js';
import { grpcServices } from '../../../../src/api/grpc/services.js';
import { liteMethods } from '../../../../src/api/middleware/lite-node.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { type ServerName, serverNames } from '../../../../src/api/servers.js';
import * as messages from '../../../../src/codec/generated/messages.js';
import { interfaceRows } from '../../../../src/encoding/contract-types/contract-interfaces.js';

interface MethodRow {
  readonly server: ServerName;
  readonly method: string;
  readonly request: string;
  readonly isImplemented: boolean;
  readonly isClosedOnLiteNode: boolean;
}

const { methods } = JSON.parse(readFileSync(new URL('methods.json', import.meta.url), 'utf8')) as {
  methods: readonly MethodRow[];
};

t.test('serves every method of java-tron on its port, with its request type', async (t) => {
  for (const { server, method, request } of methods) {
    const found = findMethod(grpcServices(server, { release: apiRelease('4.7.2'), hasMonitor: true }), method);
    const label = `${method} on ${server}`;
    if (found === undefined) t.fail(label);
    else t.equal(found.request, (messages as unknown as Record<string, unknown>)[nameOf(request)], label);
  }
});

t.test('reports a declared but unimplemented method after decoding the request', async (t) => {
  const call = (): never => ({ api: { settings: { release: apiRelease('4.7.2') } } }) as never;
  for (const { server, method, isImplemented } of methods) {
    if (isImplemented) continue;
    const services = grpcServices(server, { release: apiRelease('4.7.2') });
    const details = `Method ${method} is unimplemented`;
    t.match(await answerCall(services, method, Uint8Array.of(), call), { status: 12, details });
    t.match(await answerCall(services, method, Uint8Array.of(0x0a), call), { status: 2, details: '' });
  }
});

t.test('serves no method that java-tron does not have', async (t) => {
  for (const server of serverNames) {
    const known = methods.filter((row) => row.server === server).map(({ method }) => method);
    const served = Object.entries(grpcServices(server, { release: apiRelease('4.7.2'), hasMonitor: true })).flatMap(
      ([service, served]) => Object.keys(served).map((name) => `${service}/${name}`),
    );
    t.same(served.sort(), known.sort(), server);
  }
});

t.test('disables the same methods as java-tron on a lite node', async (t) => {
  for (const { method, isClosedOnLiteNode } of methods) {
    t.equal(liteMethods.has(method), isClosedOnLiteNode, method);
  }
});

t.test('maps an RPC to one operation or one contract type', async (t) => {
  const ofTypes = interfaceRows().flatMap(([, { rpc }]) => (rpc === 'none' ? [] : Object.values<string>({ ...rpc })));
  const named = [...allRpcEndpoints.flatMap(({ rpc }) => rpc), ...ofTypes];
  t.same(
    named.filter((name, index) => named.indexOf(name) !== index),
    [],
  );
});

/** Returns the name in this node for a message type of java-tron: `TransactionRaw` for `Transaction.raw`. */
function nameOf(type: string): string {
  return type
    .replace(/^.*protocol\./, '')
    .split('.')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('');
}

t.test('reports uncaught exceptions with the text of the release', async (t) => {
  // The id is a line break, which is not a valid key of a store.
  const request = Uint8Array.of(0x0a, 1, 0x0a);
  for (const [name, details] of [
    ['4.7.2', ''],
    ['4.8.2', 'Application error processing RPC'],
  ] as const) {
    const release = apiRelease(name);
    const call = (): never => ({ api: { settings: { release } }, view: { state: {} } }) as never;
    const reply = await answerCall(
      grpcServices('fullnode', { release }),
      'protocol.Wallet/GetAssetIssueById',
      request,
      call,
    );
    t.match(reply, { status: 2, details }, name);
  }
});
