import { isAbsolute, join } from 'node:path';
import { MANDATORY, type SinkKind } from '../sink-kind.js';

export interface NdjsonOptions {
  /** Path of the file, absolute or relative to the data folder. */
  readonly path: string;
}

/** Sink for a file of JSON lines. */
export const ndjsonKind: SinkKind<NdjsonOptions> = {
  doc: {
    is: 'a file of JSON lines',
    guarantee: 'no gap and no duplicate',
    because: 'the sink resumes after the last complete block in the file',
    shownBy: '`test/unit/streams/sinks`',
  },
  members: {
    path: {
      type: 'string',
      doc: 'path of the output file; a relative path starts at the data folder',
      fallback: MANDATORY,
      read: (members, name) => members.required(name),
    },
  },
  fill: (_, { name, into }) => ({ path: into ?? `${name}.ndjson` }),
  fileOf,
  create: async ({ name, path }, { dataDir, checkpointFile }) => {
    const { NdjsonSink } = await import('./ndjson-sink.js');
    return new NdjsonSink({ name, path: fileOf({ path }, dataDir), checkpointFile });
  },
};

function fileOf({ path }: NdjsonOptions, dataDir: string): string {
  return isAbsolute(path) ? path : join(dataDir, path);
}
