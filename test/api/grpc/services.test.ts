import { readFileSync } from 'node:fs';
import t from 'tap';
import { liteMethods } from '../../../src/api/admission/lite-node.js';
import { findMethod } from '../../../src/api/grpc/answer-call.js';
import { type GrpcServerName, grpcServices } from '../../../src/api/grpc/services.js';
import * as messages from '../../../src/log/codec/generated/messages.js';

interface MethodRow {
  readonly server: GrpcServerName;
  readonly method: string;
  readonly request: string;
  readonly isImplemented: boolean;
  readonly isClosedOnLiteNode: boolean;
}

const { methods } = JSON.parse(readFileSync(new URL('methods.json', import.meta.url), 'utf8')) as {
  methods: readonly MethodRow[];
};

t.test('every method of the reference is served on its port, with its request', async (t) => {
  for (const { server, method, request, isImplemented } of methods) {
    const found = findMethod(grpcServices(server, true), method);
    const label = `${method} on ${server}`;
    if (!isImplemented) t.equal(found, 'declared', label);
    else if (found === undefined || found === 'declared') t.fail(label);
    else t.equal(found.request, (messages as unknown as Record<string, unknown>)[nameOf(request)], label);
  }
});

t.test('no other method is served', async (t) => {
  for (const server of ['fullnode', 'solidity', 'pbft'] as const) {
    const known = methods.filter((row) => row.server === server).map(({ method }) => method);
    const served = Object.entries(grpcServices(server, true)).flatMap(([service, { methods, unimplemented }]) =>
      [...Object.keys(methods), ...unimplemented].map((name) => `${service}/${name}`),
    );
    t.same(served.sort(), known.sort(), server);
  }
});

t.test('a lite node closes the methods that the reference closes', async (t) => {
  for (const { method, isClosedOnLiteNode } of methods) {
    t.equal(liteMethods.has(method), isClosedOnLiteNode, method);
  }
});

/** `Transaction.raw` is `TransactionRaw` here. */
function nameOf(type: string): string {
  return type
    .replace(/^.*protocol\./, '')
    .split('.')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('');
}
