import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file that is not a well-formed LMDB environment. */
export class LmdbFileError extends Error {}

/** LMDB's description of a B+ tree (MDB_db): a table, the list of tables or the list of free pages. */
interface Tree {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number;
}

interface Meta {
  readonly pageBytes: number;
  readonly txnId: number;
  readonly lastPage: number;
  readonly free: Tree;
  readonly main: Tree;
}

const PAGE_HEAD_BYTES = 24;
const META_BYTES = 24 + 24 + 2 * 48 + 24;
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;
const BIG_DATA = 0x01;
const SUB_DATA = 0x02;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
/** LMDB's flag MDB_INTEGERKEY: the free list uses transaction ids as keys. */
const INTEGER_KEY = 0x08;
const TXN_MAX = 2 ** 48;
const MAP_BYTES_MAX = 2 ** 46;
const DEPTH_MAX = 32;
/** Maximum number of attempts to read the meta pages while another process writes the file. */
const META_ATTEMPTS = 50;
/** Time between two attempts to read the meta pages, in ms. */
const META_WAIT_MS = 5;

export interface LmdbFileOptions {
  /**
   * True if another process writes the file. The caller must then have an open LMDB snapshot that is not newer than
   * this read, so that the writer does not reuse the pages.
   */
  readonly isWritten?: boolean | undefined;
  /** Called with the number of bytes of each read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/**
 * Reads an LMDB data file without LMDB. LMDB trusts every page, and a damaged page crashes the process. This reader
 * checks each structure before it uses the structure. Each page must be in only one tree, and must not also be free.
 */
export class LmdbFile {
  private readonly file: number;
  private readonly onRead: ((bytes: number) => void) | undefined;
  private fileBytes: number;
  private readonly meta: Meta;
  private readonly pageBytes: number;
  private readonly owned: Uint8Array;
  private readonly tables = new Map<string, Tree>();

  /**
   * Opens a file and checks its two meta pages.
   * @throws {LmdbFileError} the meta pages are damaged, or the file is too short
   */
  constructor(path: string, { isWritten = false, onRead }: LmdbFileOptions = {}) {
    this.onRead = onRead;
    this.file = openSync(path, 'r');
    try {
      this.fileBytes = fstatSync(this.file).size;
      this.meta = isWritten ? this.readMovingMetas() : this.readMetas();
      this.pageBytes = this.meta.pageBytes;
      this.owned = new Uint8Array(this.meta.lastPage + 1);
    } catch (error) {
      closeSync(this.file);
      throw error;
    }
  }

  /** True if the file contains no rows. LMDB has created the file, but nothing was stored. */
  get isEmpty(): boolean {
    if (this.meta.main.root < 0) return true;
    let rows = 0;
    this.walkTree('main', this.meta.main, compareKeys, (_key, value) => {
      rows += readTree(value, 0, 0).entries;
    });
    this.owned.fill(0);
    return rows === 0;
  }

  close(): void {
    closeSync(this.file);
  }

  /**
   * Reads the names of the tables. Must be called once, before {@link walkTable}.
   * @throws {LmdbFileError} the list of tables is damaged
   */
  readTables(): readonly string[] {
    this.own(0);
    this.own(1);
    this.walkTree('main', this.meta.main, compareKeys, (key, value, isTable) => {
      if (!isTable) fail('the table list contains a value that is not a table');
      this.tables.set(key.toString('latin1').split('\0')[0] ?? '', readTree(value, 0, 0));
    });
    return [...this.tables.keys()];
  }

  /**
   * Checks that no page of a visited table is free.
   * @throws {LmdbFileError} such a page is free, or the list of free pages is damaged
   */
  checkFreePages(): void {
    this.walkTree('free', this.meta.free, compareIntegers, (_key, value) => this.ownFree(value));
  }

  /**
   * Visits all rows of a table in key order, once per table. The buffers stay valid.
   * @throws {LmdbFileError} the table is damaged
   */
  walkTable(name: string, visit: (key: Buffer, value: Buffer) => void): void {
    const tree = this.tables.get(name);
    if (tree === undefined) return;
    this.walkTree(name, tree, compareKeys, visit);
  }

  /** Reads the meta pages. Retries while they are inconsistent, because the writer may be changing them. */
  private readMovingMetas(): Meta {
    for (let attempt = 1; ; attempt++) {
      try {
        this.fileBytes = fstatSync(this.file).size;
        return this.readMetas();
      } catch (error) {
        if (!(error instanceof LmdbFileError) || attempt >= META_ATTEMPTS) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, META_WAIT_MS);
      }
    }
  }

  private readMetas(): Meta {
    const head = this.read(0, META_BYTES);
    const first = readMeta(head, 0);
    const second = readMeta(this.read(first.pageBytes, META_BYTES), 1);
    if (second.pageBytes !== first.pageBytes) fail('meta pages have different page sizes');
    const meta = first.txnId >= second.txnId ? first : second;
    // LMDB writes the two meta pages in turn, and the transaction number determines the page. If a transaction number
    // were in the wrong page, the next commit would overwrite the newest meta page.
    const apart = Math.abs(first.txnId - second.txnId);
    if (first.txnId % 2 !== 0 || (second.txnId % 2 !== 1 && second.txnId !== 0) || apart > 1) {
      fail('meta pages have inconsistent transaction ids');
    }
    for (const { lastPage } of [first, second]) {
      if ((lastPage + 1) * first.pageBytes > roundUp(this.fileBytes, first.pageBytes)) {
        fail(`file is too short, page ${lastPage} is missing`);
      }
    }
    return meta;
  }

  private walkTree(
    name: string,
    tree: Tree,
    order: (a: Buffer, b: Buffer) => number,
    visit: (key: Buffer, value: Buffer, isTable: boolean) => void,
  ): void {
    const counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    let previous: Buffer | undefined;
    const walkPage = (number: number, depth: number, low: Buffer | undefined): void => {
      const page = this.readPage(number);
      const flags = page.readUInt16LE(18);
      const nodes = readNodes(page, number);
      if (flags === BRANCH && depth < tree.depth) {
        counts.branchPages++;
        for (const [index, at] of nodes.entries()) {
          const key = page.subarray(at + 8, at + 8 + page.readUInt16LE(at + 6));
          const child = page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 0x1_0000_0000;
          walkPage(child, depth + 1, index === 0 ? low : key);
          const next = nodes[index + 1];
          if (next === undefined || previous === undefined) continue;
          const nextKey = page.subarray(next + 8, next + 8 + page.readUInt16LE(next + 6));
          if (order(previous, nextKey) >= 0) fail(`page ${number} of table ${name} is out of order`);
        }
        return;
      }
      if (flags !== LEAF || depth !== tree.depth) fail(`page ${number} of table ${name} has an unexpected type`);
      counts.leafPages++;
      for (const [index, at] of nodes.entries()) {
        const keyEnd = at + 8 + page.readUInt16LE(at + 6);
        const key = page.subarray(at + 8, keyEnd);
        const nodeFlags = page.readUInt16LE(at + 4);
        if (previous !== undefined && order(previous, key) >= 0)
          fail(`page ${number} of table ${name} is out of order`);
        if (index === 0 && low !== undefined && order(low, key) > 0)
          fail(`page ${number} of table ${name} is out of order`);
        previous = key;
        const length = page.readUInt32LE(at);
        const value =
          (nodeFlags & BIG_DATA) === 0
            ? page.subarray(keyEnd, keyEnd + length)
            : this.readOverflow(page.subarray(keyEnd, keyEnd + 8), length, name, counts);
        if ((nodeFlags & ~(BIG_DATA | SUB_DATA)) !== 0)
          fail(`page ${number} of table ${name} has a node of unknown type`);
        counts.entries++;
        visit(key, value, (nodeFlags & SUB_DATA) !== 0);
      }
    };
    if (tree.root >= 0) walkPage(tree.root, 1, undefined);
    for (const field of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (counts[field] !== tree[field]) fail(`table ${name} has ${counts[field]} ${field}, expected ${tree[field]}`);
    }
  }

  private readOverflow(reference: Buffer, length: number, name: string, counts: { overflowPages: number }): Buffer {
    const number = toNumber(reference, 0);
    const pages = Math.floor((PAGE_HEAD_BYTES - 1 + length) / this.pageBytes) + 1;
    for (let page = number; page < number + pages; page++) this.own(page);
    const bytes = this.read(number * this.pageBytes, PAGE_HEAD_BYTES + length);
    this.checkHead(bytes, number);
    if (bytes.readUInt16LE(18) !== OVERFLOW || bytes.readUInt32LE(20) !== pages) {
      fail(`page ${number} of table ${name} is not the expected overflow page`);
    }
    counts.overflowPages += pages;
    return bytes.subarray(PAGE_HEAD_BYTES);
  }

  private readPage(number: number): Buffer {
    this.own(number);
    const page = this.read(number * this.pageBytes, this.pageBytes);
    this.checkHead(page, number);
    return page;
  }

  /**
   * Checks the page number and the transaction id. LMDB copies a page before it changes the page, so that readers keep
   * the old content. For a page with a future transaction id, LMDB would omit this copy.
   */
  private checkHead(page: Buffer, number: number): void {
    if (toNumber(page, 0) !== number) fail(`page ${number} contains another page number`);
    if (toNumber(page, 8) > this.meta.txnId)
      fail(`page ${number} has transaction id ${toNumber(page, 8)}, above the newest ${this.meta.txnId}`);
  }

  /**
   * Marks the pages of a free list as used. The list contains a length and page numbers. A negative number is the
   * length of a run of pages, and is followed by the first page of the run.
   */
  private ownFree(list: Buffer): void {
    const length = toNumber(list, 0);
    if (list.length < (length + 1) * 8) fail('a free page list is truncated');
    for (let i = 1; i <= length; i++) {
      const word = Number(list.readBigInt64LE(i * 8));
      if (word === 0) continue;
      if (word > 0) {
        this.own(word);
        continue;
      }
      i++;
      const start = i <= length ? toNumber(list, i * 8) : fail('a free page list is truncated');
      for (let page = start; page < start - word; page++) this.own(page);
    }
  }

  private own(page: number): void {
    if (!(page < this.owned.length)) fail(`page ${page} is beyond the last page`);
    if (this.owned[page] === 1) fail(`page ${page} is used twice`);
    this.owned[page] = 1;
  }

  private read(at: number, length: number): Buffer {
    if (at + length > this.fileBytes)
      fail(`file ends at byte ${this.fileBytes}, expected at least ${at + length} bytes`);
    this.onRead?.(length);
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.file, bytes, done, length - done, at + done);
      if (read === 0) fail(`file cannot be read at byte ${at + done}`);
      done += read;
    }
    return bytes;
  }
}

/** Returns true if both meta pages of a file are well-formed, so that LMDB can open the file safely. */
export function hasMetaPages(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const page = (at: number, number: number): Meta => {
      const bytes = Buffer.alloc(META_BYTES);
      readSync(file, bytes, 0, META_BYTES, at);
      return readMeta(bytes, number);
    };
    page(page(0, 0).pageBytes, 1);
    return true;
  } catch (error) {
    if (error instanceof LmdbFileError) return false;
    throw error;
  } finally {
    closeSync(file);
  }
}

function readMeta(page: Buffer, number: number): Meta {
  if (page.readUInt16LE(18) !== META) fail(`page ${number} is not a meta page`);
  if (page.readUInt32LE(24) !== MAGIC || (page.readUInt32LE(28) & 0xffff) !== DATA_VERSION) {
    fail(`meta page ${number} does not belong to an LMDB file of version ${DATA_VERSION}`);
  }
  const mapBytes = toNumber(page, 40);
  if (toNumber(page, 32) !== 0 || mapBytes > MAP_BYTES_MAX) fail(`meta page ${number} has an invalid map size`);
  if (toNumber(page, 152) > TXN_MAX) fail(`meta page ${number} has an invalid transaction id`);
  const pageBytes = page.readUInt32LE(48);
  if (pageBytes < 512 || pageBytes > 65536 || (pageBytes & (pageBytes - 1)) !== 0)
    fail(`meta page ${number} has an invalid page size`);
  return {
    pageBytes,
    free: readTree(page, 48, INTEGER_KEY),
    main: readTree(page, 96, 0),
    lastPage: toNumber(page, 144),
    txnId: toNumber(page, 152),
  };
}

function readTree(bytes: Buffer, at: number, flags: number): Tree {
  if (bytes.length < at + 48) fail('a table record is truncated');
  if (bytes.readUInt16LE(at + 4) !== flags) fail('a table record has unexpected flags');
  const [branchPages, leafPages, overflowPages, entries] = [8, 16, 24, 32].map((offset) =>
    toNumber(bytes, at + offset),
  ) as [number, number, number, number];
  const depth = bytes.readUInt16LE(at + 6);
  if (depth > DEPTH_MAX) fail('a table record has an invalid depth');
  const root = bytes.readBigUInt64LE(at + 40) === NO_ROOT ? -1 : toNumber(bytes, at + 40);
  return { depth, branchPages, leafPages, overflowPages, entries, root };
}

/** Returns the offsets of the nodes of a page, each checked to be within the page. */
function readNodes(page: Buffer, number: number): number[] {
  const lower = page.readUInt16LE(20);
  const upper = page.readUInt16LE(22);
  const isLeaf = page.readUInt16LE(18) === LEAF;
  if (lower % 2 !== 0 || lower > upper || upper + PAGE_HEAD_BYTES > page.length)
    fail(`page ${number} has invalid bounds`);
  const nodes: number[] = [];
  let used = 0;
  for (let i = 0; i < lower / 2; i++) {
    const offset = page.readUInt16LE(PAGE_HEAD_BYTES + i * 2);
    const at = offset + PAGE_HEAD_BYTES;
    if (offset < upper || at + 8 > page.length) fail(`page ${number} has a node out of bounds`);
    const key = page.readUInt16LE(at + 6);
    const isBig = (page.readUInt16LE(at + 4) & BIG_DATA) !== 0;
    const data = isLeaf ? (isBig ? 8 : page.readUInt32LE(at)) : 0;
    if (at + 8 + key + data > page.length) fail(`page ${number} has a node out of bounds`);
    used += 8 + key + data + ((key + data) % 2);
    nodes.push(at);
  }
  if (used > page.length - PAGE_HEAD_BYTES - upper) fail(`the nodes of page ${number} overlap`);
  return nodes;
}

function toNumber(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.length) fail('a number is truncated');
  return Number(bytes.readBigUInt64LE(at));
}

function compareKeys(a: Buffer, b: Buffer): number {
  return a.compare(b);
}

function compareIntegers(a: Buffer, b: Buffer): number {
  return toNumber(a, 0) - toNumber(b, 0);
}

function roundUp(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit;
}

function fail(finding: string): never {
  throw new LmdbFileError(finding);
}
