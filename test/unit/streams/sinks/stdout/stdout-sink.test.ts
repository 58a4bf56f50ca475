import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { StdoutSink } from '../../../../../src/streams/sinks/stdout/stdout-sink.js';
import { eventsIn } from '../../../../support/streams/line-events.js';
import { passesSinkSuite } from '../../../../support/streams/sink-suite.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

/** A device that rejects every write. */
const FULL = '/dev/full';

t.test('passes the common sink test suite', { skip: !existsSync(FULL) && `there is no ${FULL}` }, async (t) => {
  passesSinkSuite(t, 'stdout', async (t) => {
    const folder = temporaryFolder(t);
    const [path, checkpointFile] = [join(folder, 'out'), join(folder, 'place.json')];
    const make = async (file: string): Promise<StdoutSink> => {
      const descriptor = openSync(file, 'a');
      t.teardown(() => closeSync(descriptor));
      return new StdoutSink({ name: 'out', checkpointFile, descriptor });
    };
    return {
      checkpointFile,
      make: () => make(path),
      arrived: async () => eventsIn(readFileSync(path, 'utf8')),
      refused: async () => ({ sink: await make(FULL), repair: () => make(path) }),
    };
  });
});
