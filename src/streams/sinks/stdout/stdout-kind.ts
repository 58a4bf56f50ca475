import type { SinkKind } from '../sink-kind.js';

/** There is nothing to say of it. */
export type StdoutOptions = Readonly<Record<never, never>>;

/** Standard output. */
export const stdoutKind: SinkKind<StdoutOptions> = {
  members: {},
  create: async ({ name }, { placeFile }) => {
    const { StdoutSink } = await import('./stdout-sink.js');
    return new StdoutSink({ name, placeFile });
  },
};
