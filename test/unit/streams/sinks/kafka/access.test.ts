import type { Admin } from 'kafkajs';
import t from 'tap';
import { Access, NoBrokerError } from '../../../../../src/streams/sinks/kafka/access.js';

const access = new Access({ bootstrap: ['127.0.0.1:1'] } as never);
/** Fails as kafkajs 2.2.4 does if no broker answers: it reads a property of `null`. */
const readNull = async (): Promise<never> => {
  const { topics } = null as unknown as { topics: never };
  return topics;
};

t.test('reports that no broker answers', async (t) => {
  const silent = { listTopics: readNull, fetchTopicMetadata: readNull } as unknown as Admin;
  await t.rejects(access.existing(silent, ['blocks']), NoBrokerError, 'the list of topics');
  const silentLater = { ...silent, listTopics: async () => [] } as unknown as Admin;
  await t.rejects(access.existing(silentLater, ['blocks']), NoBrokerError, 'one topic');
});

t.test('returns an error of the cluster unchanged', async (t) => {
  const failure = new Error('closed');
  const admin = { listTopics: () => Promise.reject(failure) } as unknown as Admin;
  await t.rejects(access.existing(admin, ['blocks']), failure);
});
