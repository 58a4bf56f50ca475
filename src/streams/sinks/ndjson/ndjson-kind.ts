import { isAbsolute, join } from 'node:path';
import { MANDATORY, type SinkKind } from '../sink-kind.js';

export interface NdjsonOptions {
  /** Relative to the data folder, or absolute. */
  readonly path: string;
}

/** A file of JSON lines. */
export const ndjsonKind: SinkKind<NdjsonOptions> = {
  doc: {
    is: 'a file of JSON lines',
    guarantee: 'no gap and no repetition',
    because: "the place is the file's last whole block",
    shownBy: '`test/unit/streams/sinks`',
  },
  members: {
    path: {
      type: 'string',
      doc: 'file; a relative path begins at the data folder',
      fallback: MANDATORY,
      read: (given, name) => given.required(name),
    },
  },
  fill: (_, { name, into }) => ({ path: into ?? `${name}.ndjson` }),
  create: async ({ name, path }, { dataDir, placeFile }) => {
    const { NdjsonSink } = await import('./ndjson-sink.js');
    return new NdjsonSink({ name, path: isAbsolute(path) ? path : join(dataDir, path), placeFile });
  },
};
