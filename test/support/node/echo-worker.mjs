// A thread for tests: gives back what it is asked, and does what its name says. Threads exist only compiled.
import { WorkerSide } from '../../../dist/node/workers/worker-context.js';

const side = WorkerSide.here();
if (side !== undefined) {
  if (side.data.fails) throw Object.assign(new Error('no port is free'), { code: 'EADDRINUSE' });
  side.line(JSON.stringify({ level: 40, msg: 'begins', step: 1 }));
  const link = side.link({
    onNews: (news) => link.tell(`heard ${news}`),
    answer: async (question) => {
      if (question === 'end') process.exit(3);
      if (question === 'back') return link.ask('what?');
      return `${question}!`;
    },
  });
  side.serve(link, (how) => link.tell(`closing ${how}`));
}
