import { ByteGroup } from '../../primitives/byte-budget.js';

/** State of one connection. */
export interface Connection {
  /** Address of the client. */
  readonly address: string;
  /** Memory budget of unfinished and queued requests. */
  readonly requests: ByteGroup;
  /** Memory budget of answers that the client has not read. */
  readonly answers: ByteGroup;
  /** Functions, each of which starts one completely received call; oldest call first. */
  readonly queued: (() => void)[];
  /** Last turn of the event loop in which a call of this connection started. */
  turn: number;
  /** Number of calls of the connection that were started in the turn `turn`. */
  started: number;
}

/**
 * Maximum size of the unread answers of a connection, in bytes. Above it, no further calls of the connection start
 * until the client has read.
 */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum number of calls of a connection that start immediately in one turn. Most calls take less than 50 µs. */
const STARTED_MAX = 32;
/**
 * Time limit for calls in one turn of the event loop, in ms. After this time, the event loop reads from all sockets
 * before further calls start.
 */
const SLICE_MS = 5;

export function createConnection(requestBytesMax: number, address: string): Connection {
  return {
    address,
    requests: new ByteGroup(requestBytesMax),
    answers: new ByteGroup(),
    queued: [],
    turn: -1,
    started: 0,
  };
}

/**
 * Distributes the start of calls over the turns of the event loop, so that a connection with many calls does not delay
 * other connections. Each turn has a maximum number of calls per connection, and a maximum time for all calls. Further
 * calls are queued, and the connections take turns to start one.
 */
export class CallTurns {
  /** Connections with queued calls that may start, in the order of their turns. */
  private readonly ready = new Set<Connection>();
  private readonly nowMs: () => number;
  private turn = 0;
  private usedMs = 0;
  private isScheduled = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /** Starts a call now or in a later turn. */
  add(connection: Connection, start: () => void): void {
    this.schedule();
    if (connection.turn !== this.turn) {
      connection.turn = this.turn;
      connection.started = 0;
    }
    const isFree = connection.started < STARTED_MAX && this.usedMs < SLICE_MS && !isUnread(connection);
    if (connection.queued.length === 0 && isFree) this.run(connection, start);
    else {
      connection.queued.push(start);
      this.read(connection);
    }
  }

  /** Starts queued calls. Must be called after the client has read an answer. */
  read(connection: Connection): void {
    if (connection.queued.length === 0 || isUnread(connection)) return;
    this.ready.add(connection);
    this.schedule();
  }

  private run(connection: Connection, start: () => void): void {
    const startedMs = this.nowMs();
    connection.started++;
    start();
    this.usedMs += this.nowMs() - startedMs;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.turn++;
      this.usedMs = 0;
      this.runReady();
    });
  }

  private runReady(): void {
    for (const connection of this.ready) {
      if (this.usedMs >= SLICE_MS) break;
      this.ready.delete(connection);
      const start = isUnread(connection) ? undefined : connection.queued.shift();
      if (start === undefined) continue;
      this.run(connection, start);
      // Adds the connection again. The loop over the set visits an added element after all others.
      this.read(connection);
    }
    if (this.ready.size > 0) this.schedule();
  }
}

function isUnread({ answers }: Connection): boolean {
  return answers.bytes > UNREAD_BYTES_MAX;
}
