import type { Admin } from 'kafkajs';
import t from 'tap';
import { topicOffsets, untilTopicReady } from '../../../../../src/streams/sinks/kafka/topic-offsets.js';

const OFFSETS = [{ partition: 0, offset: '5', high: '5', low: '0' }];

/** Returns a client whose first requests fail. Each of these requests fails with one of the error types, in order. */
function adminThatFails(...types: string[]): Pick<Admin, 'fetchTopicOffsets'> {
  return {
    fetchTopicOffsets: async () => {
      const type = types.shift();
      if (type !== undefined) throw Object.assign(new Error(type), { type });
      return OFFSETS;
    },
  };
}

t.test('repeats the request for a topic that has no leader yet', async (t) => {
  const admin = adminThatFails('NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE') as Admin;
  t.same(await topicOffsets(admin, 'new'), OFFSETS);
});

t.test('repeats the request while the brokers do not have the new topic yet', async (t) => {
  const created = adminThatFails('UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE') as Admin;
  await untilTopicReady(created, 'new');
  t.same(await topicOffsets(created, 'new'), OFFSETS, 'both failures were repeated');
  const missing = adminThatFails('UNKNOWN_TOPIC_OR_PARTITION') as Admin;
  await t.rejects(topicOffsets(missing, 'old'), { message: 'UNKNOWN_TOPIC_OR_PARTITION' });
});

t.test('does not repeat a request that is denied', async (t) => {
  const admin = adminThatFails('TOPIC_AUTHORIZATION_FAILED') as Admin;
  await t.rejects(topicOffsets(admin, 'closed'), { message: 'TOPIC_AUTHORIZATION_FAILED' });
  t.same(await topicOffsets(admin, 'closed'), OFFSETS);
});
