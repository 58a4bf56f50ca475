// Worker thread for tests. It returns its input. Its start data and some inputs make it fail or exit. This file is
// JavaScript, because worker threads run compiled code.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerContext } from '../../../dist/node/workers/worker-context.js';

const side = WorkerContext.here();
if (side !== undefined) {
  if (side.data.fails) throw Object.assign(new Error('no port is free'), { code: 'EADDRINUSE' });
  side.line(JSON.stringify({ level: 40, msg: 'begins', step: 1 }));
  let received = 0;
  const link = side.link({
    onNotification: (news) => {
      received++;
      link.send(`received ${news}`);
    },
    answer: async (question) => {
      if (question === 'end') process.exit(3);
      if (question === 'unusable') process.exit(side.data.unusableExit);
      if (question === 'arrived') {
        // Ends the processing of this message before the next line runs.
        await undefined;
        const before = received;
        const flag = new Int32Array(side.data.isWaiting);
        Atomics.store(flag, 0, 1);
        Atomics.notify(flag, 0);
        for (const end = Date.now() + 60_000; received === before && Date.now() < end; )
          side.receiveArrived(() => received > before);
        return `${received - before} received`;
      }
      if (question === 'back') return link.request('what?');
      return `${question}!`;
    },
  });
  const close = (how) => link.send(`closing ${how}`);
  if (side.data.isSlow) {
    side.receive(link);
    await sleep(200);
    side.ready(close);
  } else side.serve(link, close);
}
