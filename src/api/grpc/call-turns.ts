import { ByteGroup } from '../../primitives/byte-budget.js';

/** Calls of one connection. */
export interface Connection {
  /** Unfinished and queued requests. */
  readonly requests: ByteGroup;
  /** Answers that the client has not accepted. */
  readonly answers: ByteGroup;
  /** Complete calls that have not started, oldest first. */
  readonly queued: (() => void)[];
  /** Newest turn of the event loop in which a call has started, and the number of such calls. */
  turn: number;
  started: number;
}

/** Unread bytes of a connection above which its next call starts only after the client has read. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
/** Calls of a connection that start in the turn in which they arrive. A call seldom needs more than 50 µs. */
const STARTED_MAX = 32;
/** Time for calls in one turn, in ms. Then the event loop reads from all sockets again. */
const SLICE_MS = 5;

export function createConnection(requestBytesMax: number): Connection {
  return { requests: new ByteGroup(requestBytesMax), answers: new ByteGroup(), queued: [], turn: -1, started: 0 };
}

/**
 * Starts the calls of all connections in turns. A connection with many calls does not delay the calls of others. Above
 * a number of calls or a time for each turn of the event loop, the connections start one call each, one after the
 * other.
 */
export class CallTurns {
  /** Connections with queued calls that may start, in the order in which they start their next call. */
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

  /** Must be called after the client has accepted an answer: queued calls may start. */
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
      // A set that is iterated visits an added element again, after the others.
      this.read(connection);
    }
    if (this.ready.size > 0) this.schedule();
  }
}

function isUnread({ answers }: Connection): boolean {
  return answers.bytes > UNREAD_BYTES_MAX;
}
