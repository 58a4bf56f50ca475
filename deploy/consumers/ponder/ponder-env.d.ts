/// <reference types="ponder/virtual" />

declare module 'ponder:internal' {
  const config: typeof import('./ponder.config');
  const schema: typeof import('./ponder.schema');
}

declare module 'ponder:schema' {
  export * from './ponder.schema';
}
