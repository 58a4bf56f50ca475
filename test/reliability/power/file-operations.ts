/**
 * A change of a folder tree, recorded from the system calls of a process. Files and folders are identified by
 * numbers, because a rename changes their paths. Number 0 is the recorded folder.
 */
export type FileOperation =
  | EntryChange
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  | FileWrite
  | {
      readonly kind: 'flush';
      /** Flushed file, or folder whose entries are flushed. */
      readonly file: number;
      /** The flush covers the operations before this index. Later operations began after the start of the flush. */
      readonly before: number;
    }
  | { readonly kind: 'acknowledge'; readonly head: number };

export interface FileWrite {
  readonly kind: 'write';
  readonly file: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** True if the file was opened with O_DSYNC. The bytes are then on disk when the call returns. */
  readonly isFlushed: boolean;
}

/** A change of the entries of one folder. */
export type EntryChange =
  | { readonly kind: 'create'; readonly folder: number; readonly name: string; readonly entry: NewEntry }
  | { readonly kind: 'rename'; readonly folder: number; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly folder: number; readonly name: string };

export interface NewEntry {
  readonly file: number;
  readonly isFolder: boolean;
}
