import { join } from 'node:path';
import kafkajs, { type AclEntry } from 'kafkajs';
import t from 'tap';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { KafkaSink } from '../../../src/streams/sinks/kafka/kafka-sink.js';
import type { SinkOptionsOf } from '../../../src/streams/sinks/sink-kinds.js';
import { silent } from '../../support/projections/chain.js';
import { Broker } from '../../support/streams/broker.js';
import { brokenLinks, consumeAll } from '../../support/streams/consume.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const { AclResourceTypes, AclOperationTypes, AclPermissionTypes, ResourcePatternTypes } = kafkajs;
const USER = { mechanism: 'plain', username: 'forwarder', password: 'secret' } as const;
const broker = await Broker.start([], USER);
t.teardown(() => broker.close());
const admin = broker.client().admin();
await admin.connect();
t.teardown(() => admin.disconnect());

type Resource = keyof Pick<typeof AclResourceTypes, 'TOPIC' | 'GROUP' | 'CLUSTER' | 'TRANSACTIONAL_ID'>;
type Operation = 'ALL' | 'READ' | 'WRITE' | 'DESCRIBE' | 'CREATE';

function acl(resource: Resource, resourceName: string, operation: Operation, permission: 'ALLOW' | 'DENY'): AclEntry {
  return {
    resourceType: AclResourceTypes[resource],
    resourceName,
    resourcePatternType: resourceName.endsWith('.') ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
    principal: `User:${USER.username}`,
    host: '*',
    operation: AclOperationTypes[operation],
    permissionType: AclPermissionTypes[permission],
  };
}

/** Denies an operation. @returns function that removes the denial */
async function deny(resource: Resource, name: string, operation: Operation): Promise<() => Promise<void>> {
  const entry = acl(resource, name, operation, 'DENY');
  await admin.createAcls({ acl: [entry] });
  return async () => {
    await admin.deleteAcls({ filters: [entry] });
  };
}

function block(number: number): BlockRecords {
  const [id, parentId] = [number, number - 1].map((height) => String(height).padStart(64, '0')) as [string, string];
  const records = [{ trigger: 'transaction' as const, key: `${number}`, payload: `${number}` }];
  return { seq: number * 2, number, id, parentId, readAt: 0, records };
}

function sinkIn(folder: string, prefix: string, options: Partial<SinkOptionsOf<'kafka'>> = {}): KafkaSink {
  const sink = kafkaSink(broker.userBootstrap, { prefix, sasl: USER, ...options });
  return new KafkaSink({ sink, checkpointFile: join(folder, 'place.json'), folder: `host:${folder}`, log: silent });
}

async function allowAll(prefix: string): Promise<void> {
  await admin.createAcls({
    acl: [
      acl('TOPIC', `${prefix}.`, 'ALL', 'ALLOW'),
      acl('TRANSACTIONAL_ID', `${prefix}.`, 'ALL', 'ALLOW'),
      acl('GROUP', 'tronicle.', 'ALL', 'ALLOW'),
    ],
  });
}

/** Opens a sink repeatedly until the broker has applied a changed ACL. */
const openedAgain = (sink: KafkaSink): Promise<unknown> =>
  until('the sink to open', () =>
    sink.open().then(
      (place) => ({ place }),
      (error: { code?: string }) => {
        if (error.code === 'SINK_REFUSED') throw error;
        return undefined;
      },
    ),
  );

const DENIED: readonly {
  readonly name: string;
  readonly resource: Resource;
  readonly of: (prefix: string) => string;
  readonly operation: Operation;
  readonly says: (prefix: string) => string;
}[] = [
  {
    name: 'to describe a data topic',
    resource: 'TOPIC',
    of: (prefix) => `${prefix}.transaction`,
    operation: 'DESCRIBE',
    says: (prefix) => `Describe on topic ${prefix}.transaction (TOPIC_AUTHORIZATION_FAILED)`,
  },
  {
    name: 'to describe the cursor topic',
    resource: 'TOPIC',
    of: (prefix) => `${prefix}.cursor`,
    operation: 'DESCRIBE',
    says: (prefix) => `Describe on topic ${prefix}.cursor (TOPIC_AUTHORIZATION_FAILED)`,
  },
  {
    name: 'to read the cursor topic',
    resource: 'TOPIC',
    of: (prefix) => `${prefix}.cursor`,
    operation: 'READ',
    says: (prefix) => `Read on topic ${prefix}.cursor (TOPIC_AUTHORIZATION_FAILED)`,
  },
  {
    name: 'to read with a consumer group',
    resource: 'GROUP',
    of: () => 'tronicle.kafka.',
    operation: 'READ',
    says: () => 'Read on consumer groups tronicle.kafka.* (GROUP_AUTHORIZATION_FAILED)',
  },
  {
    name: 'the transactional id',
    resource: 'TRANSACTIONAL_ID',
    of: (prefix) => `${prefix}.kafka`,
    operation: 'WRITE',
    says: (prefix) => `Write on transactional id ${prefix}.kafka (TRANSACTIONAL_ID_AUTHORIZATION_FAILED)`,
  },
];

for (const [at, { name, resource, of, operation, says }] of DENIED.entries()) {
  t.test(`retries with principal, operation and resource when it is denied ${name}`, async (t) => {
    const prefix = `denied${at}`;
    const folder = temporaryFolder(t);
    await allowAll(prefix);
    const first = sinkIn(folder, prefix);
    await openedAgain(first);
    await first.write([block(1)]);
    await first.close();
    const grant = await deny(resource, of(prefix), operation);
    const sink = sinkIn(folder, prefix);
    const problem = await until('the denial', () =>
      sink.open().then(
        () => undefined,
        (error: Error & { code?: string }) => error,
      ),
    );
    t.match(problem, { code: 'KAFKA_ACCESS_DENIED' });
    t.ok(problem.message.includes(`Kafka denies User:forwarder the operation ${says(prefix)}`), problem.message);
    await grant();
    t.match(await openedAgain(sink), { place: { number: 1 } });
    await sink.write([block(2)]);
    await sink.close();
    const records = await consumeAll(broker.client(), [`${prefix}.transaction`]);
    t.strictSame(brokenLinks(records), []);
    t.strictSame(
      records.map(({ value }) => value),
      ['1', '2'],
    );
  });
}

t.test('retries a write that is denied while the sink is open, and sends the block once', async (t) => {
  await allowAll('write');
  const sink = sinkIn(temporaryFolder(t), 'write');
  await openedAgain(sink);
  await sink.write([block(1)]);
  const grant = await deny('TOPIC', 'write.transaction', 'ALL');
  let number = 1;
  const problem = await until('the denial', async () => {
    const next = block(number + 1);
    return sink.write([next]).then(
      () => {
        number++;
        return undefined;
      },
      (error: Error & { code?: string }) => error,
    );
  });
  t.match(problem, {
    code: 'KAFKA_ACCESS_DENIED',
    message: /Write on topic write.transaction \(TOPIC_AUTHORIZATION_FAILED\)/,
  });
  await t.rejects(sink.open(), { code: 'KAFKA_ACCESS_DENIED' }, 'the denied topic is not reported as deleted');
  await grant();
  t.match(await openedAgain(sink), { place: { number } });
  await sink.write([block(number + 1)]);
  await sink.close();
  const records = await consumeAll(broker.client(), ['write.transaction']);
  t.strictSame(brokenLinks(records), []);
  t.strictSame(
    records.map(({ value }) => Number(value)),
    Array.from({ length: number + 1 }, (_, index) => index + 1),
  );
});

t.test('retries while it has no right to create a topic, and creates it later', async (t) => {
  await admin.createAcls({
    acl: [
      acl('TOPIC', 'create.', 'WRITE', 'ALLOW'),
      acl('TOPIC', 'create.', 'READ', 'ALLOW'),
      acl('TRANSACTIONAL_ID', 'create.', 'ALL', 'ALLOW'),
      acl('GROUP', 'tronicle.', 'ALL', 'ALLOW'),
    ],
  });
  const sink = sinkIn(temporaryFolder(t), 'create');
  const isCreateDenied = /Create on topic create.cursor \(TOPIC_AUTHORIZATION_FAILED\)/;
  await until('the ACLs', () =>
    sink.open().then(
      () => true,
      ({ message }: Error) => isCreateDenied.test(message),
    ),
  );
  await t.rejects(sink.open(), { code: 'KAFKA_ACCESS_DENIED', message: isCreateDenied });
  await admin.createAcls({ acl: [acl('TOPIC', 'create.', 'CREATE', 'ALLOW')] });
  t.strictSame(await openedAgain(sink), { place: undefined });
  await sink.close();
});

t.test('stops at a deleted topic, although it retries denied operations', async (t) => {
  await allowAll('deleted');
  const folder = temporaryFolder(t);
  const sink = sinkIn(folder, 'deleted');
  await openedAgain(sink);
  await sink.write([block(1)]);
  await sink.close();
  await admin.deleteTopics({ topics: ['deleted.transaction'] });
  await t.rejects(sinkIn(folder, 'deleted').open(), {
    code: 'SINK_REFUSED',
    message: /deleted.transaction is missing.*tronicle stream resume kafka/,
  });
});
