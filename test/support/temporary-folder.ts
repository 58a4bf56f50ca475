import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is deleted at the end of the test. */
export function temporaryFolder(t: { teardown(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-test-'));
  // A browser may write to its profile for a moment after SIGTERM, so deleting the folder is retried.
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}
