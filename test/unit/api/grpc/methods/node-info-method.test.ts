import t from 'tap';
import { fillNodeInfo } from '../../../../../src/api/grpc/methods/node-info-method.js';
import { NodeInfo } from '../../../../../src/codec/generated/messages.js';

t.test('sends a map of strings unchanged', async (t) => {
  const message = fillNodeInfo(NodeInfo, { block: 'Num:1,ID:00', cheatWitnessInfoMap: { '41aa': '{times=1}' } });
  const { block, cheatWitnessInfoMap } = NodeInfo.decode(NodeInfo.encode(message));
  t.equal(block, 'Num:1,ID:00');
  t.same([...cheatWitnessInfoMap], [['41aa', '{times=1}']]);
});
